import Logging
import OrchestrationTesting
import Primitives
import Synchronization
import TestSupport
import Testing

@testable import Orchestration

/// A wrong password takes the same path as the right one on the device.
@Suite struct SamePathTests {
    @Test func `right and wrong passwords give the same events, the same writes and the same sizes`() async throws {
        let right = try await observe(typing: WalkWorld.password)
        for wrong in ["482916", "000000", "999999999999", "12345678"] {
            let observation = try await observe(typing: wrong)
            #expect(observation == right)
        }
        #expect(right.events == ["code", "warning: notSynchronized", "succeeded"])
        #expect(right.writes > 0)
    }

    @Test func `right and wrong passwords sign with the same events, the same writes and the same sizes`() async throws
    {
        let right = try await observe(typing: WalkWorld.password, signing: true)
        for wrong in ["482916", "000000", "999999999999"] {
            let observation = try await observe(typing: wrong, signing: true)
            #expect(observation == right)
        }
        #expect(right.events == ["signature", "warning: notSynchronized", "succeeded"])
        #expect(right.codeLength == 8 && right.hostCodeLength == 8)
    }

    @Test func `inputs of a wrong form are refused alike, and nothing is written for them`() async throws {
        let first = try await observe(typing: "x")
        let second = try await observe(typing: "🔑 pass phrase of another kind")
        #expect(first == second)
        #expect(first.writes == 0)
        #expect(first.codeLength == 0)
        let rejected = "rejected: \(InputRejection.unsuitable(.notDigits))"
        #expect(first.events == Array(repeating: rejected, count: 5) + ["aborted: inputRejectedTooOften"])
    }

    /// An observation of the device without its screen.
    private struct Observation: Equatable {
        var events: [String] = []
        var reads = 0
        var writes = 0
        var sizes: [Int] = []
        var drawn: [Int] = []
        var codeLength = 0
        var hostCodeLength = 0
    }

    private func observe(typing password: String, signing isSigning: Bool = false) async throws -> Observation {
        let story = try await Story()
        try await story.live(rounds: 1)
        let store = WatchedStore(base: story.world.clientStore.base)
        let random = WatchedRandomSource()
        let process = try Orchestrator(
            configuration: WalkWorld.configuration(isHybrid: false), transport: NoTransport(),
            providers: [ScriptedUser(password: password)], store: store, keys: story.world.deviceKeys,
            time: story.world.deviceTime, random: random, logger: .init(label: "watched"))
        var observation = Observation()
        let user = story.world.account.text
        let flow =
            isSigning
            ? process.sign([DataField(label: "Amount", value: "10")], for: user)
            : process.oneTimePassword(for: user, application: .app2)
        for try await event in flow {
            observation.events.append(event.word)
            if case .oneTimePasswordReady(let code) = event {
                observation.codeLength = code.oneTimePassword.utf8.count
                observation.hostCodeLength = code.hostCode?.utf8.count ?? 0
            }
            if case .signatureReady(let code) = event {
                observation.codeLength = code.signature.utf8.count
                observation.hostCodeLength = code.hostCode?.utf8.count ?? 0
            }
        }
        (observation.reads, observation.writes, observation.sizes) = store.seen
        observation.drawn = random.drawn
        return observation
    }
}

/// No network.
private struct NoTransport: Transport {
    func send(_ command: OrchestrationCommand) async throws -> OrchestrationCommand { throw Lost() }
}

/// A store that counts its calls.
private final class WatchedStore: SecureStore {
    private let base: MemoryStore
    private let counts = Mutex<(reads: Int, writes: Int, sizes: [Int])>((0, 0, []))

    init(base: MemoryStore) { self.base = base }

    var seen: (Int, Int, [Int]) { counts.withLock { ($0.reads, $0.writes, $0.sizes) } }

    func names() async throws -> [StoreName] { try await base.names() }

    func read(_ name: StoreName) async throws -> [UInt8]? {
        counts.withLock { $0.reads += 1 }
        return try await base.read(name)
    }

    func update<R: Sendable>(
        _ name: StoreName, _ body: @Sendable (_ current: [UInt8]?) throws -> (StoreChange, R)
    ) async throws -> R {
        try await base.update(name) { current in
            let (change, result) = try body(current)
            self.counts.withLock { counts in
                counts.writes += 1
                if case .replace(let bytes) = change { counts.sizes.append(bytes.count) }
            }
            return (change, result)
        }
    }
}

/// A random source that records the sizes of its draws.
private final class WatchedRandomSource: RandomSource {
    private let base = SeededRandom(~1)
    private let counts = Mutex<[Int]>([])

    var drawn: [Int] { counts.withLock { $0 } }

    func bytes(_ count: Int) -> [UInt8] {
        counts.withLock { $0.append(count) }
        return base.bytes(count)
    }
}
