import Logging
import OrchestrationTesting
import Primitives
import Testing

@testable import Orchestration

@Suite struct FailedAttemptsTests {
    private let stage: Stage
    private let code = ActivationExchange.activationPassword(SeededRandomSource(seed: 1234))

    init() async throws {
        stage = try await Stage()
        _ = try await stage.platform.register("alice")
    }

    /// Returns the code that ends a run in a process of its own.
    private func attempt(_ code: String? = nil, user: String = "alice") async throws -> OrchestrationError.Code? {
        let flow = try stage.orchestrator().activate(user, with: code ?? self.code)
        return await #expect(throws: OrchestrationError.self) { try await flow.result() }?.code
    }

    @Test func `processes share the three runs of an activation password`() async throws {
        for _ in 0..<3 { #expect(try await attempt() == .activationPasswordNotConfirmed) }
        let before = stage.wire.sent.count
        for _ in 0..<2 { #expect(try await attempt() == .activationPasswordTriedTooOften) }
        #expect(stage.wire.sent.count == before)
        #expect(try await attempt(user: "bob") == .activationPasswordNotConfirmed)
    }

    @Test func `another activation password has runs of its own, and success leaves no count`() async throws {
        for _ in 0..<3 { _ = try await attempt() }
        let right = try await stage.platform.register("alice")
        _ = try await stage.orchestrator().activate("alice", with: right).result()
        #expect(try await stage.store.names().map { $0.text.prefix(5) } == ["user-"])
    }

    @Test func `after an hour the count is removed, and so are those of other users`() async throws {
        for user in ["alice", "bob"] { for _ in 0..<3 { _ = try await attempt(user: user) } }
        #expect(try await stage.store.names().count == 2)
        stage.advance(seconds: 3_599)
        #expect(try await attempt() == .activationPasswordTriedTooOften)
        stage.advance(seconds: 1)
        #expect(try await attempt() == .activationPasswordNotConfirmed)
        #expect(try await stage.store.names().count == 1)
    }

    @Test func `a count that cannot be written ends the run with the error of the store`() async throws {
        let store = FullStore(base: stage.store)
        let orchestrator = try Orchestrator(
            configuration: stage.orchestrator().environment.configuration, transport: stage.wire,
            providers: [stage.user], store: store, keys: stage.keys, time: stage.time, random: stage.random,
            logger: Logger(label: "test"))
        await #expect(throws: OrchestrationError(.storeUnavailable)) {
            try await orchestrator.activate("alice", with: code).result()
        }
    }

    @Test func `what is stored names the handle, the number and the time, and damage counts nothing`() throws {
        let tries = FailedAttemptRecord(handle: 0x7FFF, number: 2, last: Timestamp(millisecondsSinceEpoch: -5))
        #expect(FailedAttemptRecord(tries.encoded) == tries)
        #expect(tries.encoded == [0x84, 0x01, 0x19, 0x7F, 0xFF, 0x02, 0x24])
        for bad: [UInt8] in [[], Array(tries.encoded.dropLast()), tries.encoded + [0], [0x84, 0x02, 0x00, 0x00, 0x00]] {
            #expect(FailedAttemptRecord(bad) == nil)
        }
        let extreme = FailedAttemptRecord(handle: 0, number: .max, last: Timestamp(millisecondsSinceEpoch: .min))
        #expect(FailedAttemptRecord(extreme.encoded)?.number == 255)
        #expect(!extreme.isRecent(at: Timestamp(millisecondsSinceEpoch: .max)))
    }
}

/// A store that can be read and not written.
private struct FullStore: SecureStore {
    let base: MemoryStore

    func names() async throws -> [StoreName] { try await base.names() }
    func read(_ name: StoreName) async throws -> [UInt8]? { try await base.read(name) }
    func update<R: Sendable>(
        _ name: StoreName, _ body: @Sendable ([UInt8]?) throws -> (StoreChange, R)
    ) async throws -> R { throw OrchestrationError(.storeUnavailable) }
}
