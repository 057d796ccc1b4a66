import Crypto
import Logging
import OrchestrationTesting
import Synchronization
import Testing

@testable import Orchestration

/// Flows on a store that cannot be used end with the right error, before a prompt and before any command.
@Suite struct UnusableStoreTests {
    enum Loss: String, CaseIterable, CustomTestStringConvertible {
        case damaged, newer, elsewhere, busy

        var code: OrchestrationError.Code {
            switch self {
            case .damaged: .storeCorrupt
            case .newer: .storeNewerVersion
            case .elsewhere: .storeRestoredElsewhere
            case .busy: .storeBusy
            }
        }

        var testDescription: String { rawValue }
    }

    /// A store that another process locks for ever. It can be read.
    private struct HeldStore: SecureStore {
        let base: any SecureStore

        func names() async throws -> [StoreName] { try await base.names() }

        func read(_ name: StoreName) async throws -> [UInt8]? { try await base.read(name) }

        func update<R: Sendable>(
            _ name: StoreName, _ body: @Sendable (_ current: [UInt8]?) throws -> (StoreChange, R)
        ) async throws -> R {
            throw OrchestrationError(.storeBusy)
        }
    }

    private func orchestrator(
        _ stage: Stage, user: ScriptedUser, store: (any SecureStore)? = nil, keys: (any DeviceKeyProvider)? = nil
    ) throws -> Orchestrator {
        var configuration = Configuration(
            salts: try Salts(authenticator: Array(repeating: 1, count: 16), storage: Array(repeating: 2, count: 16)),
            postQuantum: .off)
        configuration.passwordCost = .testing
        return try Orchestrator(
            configuration: configuration, transport: stage.wire, providers: [user], store: store ?? stage.store,
            keys: keys ?? stage.keys, time: stage.time, random: stage.random, logger: Logger(label: "test"))
    }

    /// Returns the app with its data after the loss.
    private func app(after loss: Loss, _ stage: Stage, user: ScriptedUser) async throws -> Orchestrator {
        let name = try #require(try await stage.store.names().first)
        switch loss {
        case .damaged:
            try await stage.store.update(name) { current in
                (.replace(Array((current ?? []).dropLast()) + [0]), ())
            }
        case .newer:
            let content: [UInt8] = [0x82, 0x03, 0x00]
            try await stage.store.update(name) { _ in (.replace(content + SHA256.hash(data: content)), ()) }
        case .elsewhere:
            return try orchestrator(stage, user: user, keys: DeterministicDeviceKeys(seed: 6))
        case .busy:
            return try orchestrator(stage, user: user, store: HeldStore(base: stage.store))
        }
        return try orchestrator(stage, user: user)
    }

    @Test(arguments: Loss.allCases)
    func `no code is made and no data is lost`(loss: Loss) async throws {
        let stage = try await Stage()
        try await stage.activate()
        let user = ScriptedUser(password: Stage.password)
        let app = try await app(after: loss, stage, user: user)
        let (before, sent) = (try await content(stage.store), stage.wire.sent.count)
        var events: [FlowEvent] = []
        await #expect(throws: OrchestrationError(loss.code)) {
            for try await event in app.oneTimePassword(for: "alice", application: .app2) {
                events.append(event)
            }
        }
        #expect(events.isEmpty)
        #expect(user.prompts.count == (loss == .busy ? 1 : 0))
        #expect(stage.wire.sent.count == sent)
        #expect(try await content(stage.store) == before)
    }

    @Test(arguments: [Loss.damaged, .newer, .elsewhere])
    func `an activation does not begin over data that cannot be opened`(loss: Loss) async throws {
        let stage = try await Stage()
        try await stage.activate()
        let code = try await stage.platform.register("alice")
        let user = ScriptedUser(password: Stage.password)
        let app = try await app(after: loss, stage, user: user)
        let (before, sent) = (try await content(stage.store), stage.wire.sent.count)
        await #expect(throws: OrchestrationError(loss.code)) {
            try await app.activate("alice", with: code).result()
        }
        await #expect(throws: OrchestrationError(loss.code)) {
            try await app.registerNotifications(for: "alice").result()
        }
        #expect(user.prompts.isEmpty)
        #expect(stage.wire.sent.count == sent)
        #expect(try await content(stage.store) == before)
        // The documented remedy.
        try await app.user("alice").delete()
        _ = try await app.activate("alice", with: code).result()
        #expect(try await app.user("alice").isActivated)
    }

    @Test func `an activation that cannot be stored keeps the activation password valid`() async throws {
        let stage = try await Stage()
        let code = try await stage.platform.register("alice")
        let held = try orchestrator(
            stage, user: ScriptedUser(password: Stage.password), store: HeldStore(base: stage.store))
        await #expect(throws: OrchestrationError(.storeBusy)) {
            try await held.activate("alice", with: code).result()
        }
        #expect(stage.wire.sent.count == 2)
        #expect(try await stage.store.names().isEmpty)
        _ = try await stage.orchestrator().activate("alice", with: code).result()
        #expect(try await stage.orchestrator().user("alice").isActivated)
    }

    private func content(_ store: MemoryStore) async throws -> [[UInt8]] {
        var content: [[UInt8]] = []
        for name in try await store.names() { content.append(try await store.read(name) ?? []) }
        return content
    }
}
