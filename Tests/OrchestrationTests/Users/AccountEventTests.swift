import OrchestrationTesting
import Primitives
import Testing

@testable import Orchestration
@testable import TrustedIdentity

/// The events of an account: each change once, after its write.
@Suite struct AccountEventTests {
    private static let wrong = "739152"
    private static let new = "739164"

    @Test func `the first event is the current state, and an activation is followed`() async throws {
        let stage = try await Stage()
        let alice = try stage.orchestrator().user("alice")
        var events = alice.accountEvents().makeAsyncIterator()
        #expect(try await events.next() == .loaded(.notProvisioned))
        try await alice.activate(with: stage.platform.register("alice"))
        #expect(try await events.next() == .loaded(.pending))
        #expect(try await events.next() == .loaded(.ready))
        var later = alice.accountEvents().makeAsyncIterator()
        #expect(try await later.next() == .loaded(.ready))
        try await alice.delete()
        #expect(try await events.next() == .deleted)
        #expect(try await later.next() == .deleted)
    }

    @Test func `wrong passwords bring the tries that are left, the lock, and its end`() async throws {
        let stage = try await Stage()
        try await stage.activate()
        let alice = try stage.orchestrator(user: ScriptedUser(password: Self.wrong)).user("alice")
        var events = alice.accountEvents().makeAsyncIterator()
        #expect(try await events.next() == .loaded(.ready))
        await #expect(throws: OrchestrationError(.userLocked)) { try await alice.changePassword() }
        for tries in [4, 3, 2, 1, 0] { #expect(try await events.next() == .triesLeft(tries)) }
        #expect(try await events.next() == .locked(.wrongPassword))
        #expect(try await alice.state == .locked(.wrongPassword))
        // A further refusal is no change.
        await #expect(throws: OrchestrationError(.userLocked)) { try await alice.synchronize() }
        try await stage.platform.platform.store.write { store in
            var device = try #require(try store.devices(of: "alice@master").first)
            device.state = .active
            device.stateBeforeLock = nil
            device.lockReason = nil
            device.clearFailures()
            #expect(try store.update(device))
        }
        try await alice.synchronize()
        #expect(try await events.next() == .unlocked)
    }

    @Test func `a revocation is an event, and the deletion after it is none`() async throws {
        let stage = try await Stage()
        try await stage.activate()
        let alice = try stage.orchestrator().user("alice")
        var events = alice.accountEvents().makeAsyncIterator()
        #expect(try await events.next() == .loaded(.ready))
        let report = try #require(try await stage.platform.platform.account(ActivationExchange.account))
        try await stage.platform.platform.revokeDevice(report.devices[0].id, of: ActivationExchange.account)
        await #expect(throws: OrchestrationError(.revoked)) { try await alice.synchronize() }
        #expect(try await events.next() == .deleted)
        try await alice.delete()
        try await alice.activate(with: stage.platform.register("alice"))
        #expect(try await events.next() == .loaded(.pending))
        #expect(try await events.next() == .loaded(.ready))
    }

    @Test func `a stream that begins while another one ends sees the changes in their order`() async throws {
        let stage = try await Stage()
        try await stage.activate()
        let store = PausingStore(stage.store)
        let app = try stage.orchestrator(store: store)
        let alice = app.user("alice")
        let ending = Task {
            for try await _ in alice.accountEvents() {}
        }
        await store.waitForReader()
        ending.cancel()
        _ = await ending.result
        // The reading of the first stream has the state before this change.
        try await stage.orchestrator().environment.vault.update(ActivationExchange.account) {
            $0.state = .locked(.wrongPassword)
        }
        var events = alice.accountEvents().makeAsyncIterator()
        await store.resume()
        #expect(try await events.next() == .loaded(.ready))
        #expect(try await events.next() == .locked(.wrongPassword))
        try await alice.delete(informingPlatform: false)
        #expect(try await events.next() == .deleted)
    }

    @Test func `an activation that is dropped loads the state before it`() async throws {
        let stage = try await Stage()
        let user = ScriptedUser([
            .password(Stage.password),
            ScriptedAnswer { [wire = stage.wire] _ in
                wire.cut(true)
                return UserInput(SecretBytes(copying: Stage.password.utf8))
            },
        ])
        let alice = try stage.orchestrator(user: user).user("alice")
        var events = alice.accountEvents().makeAsyncIterator()
        #expect(try await events.next() == .loaded(.notProvisioned))
        let code = try await stage.platform.register("alice")
        await #expect(throws: OrchestrationError(.transport)) { try await alice.activate(with: code) }
        #expect(try await events.next() == .loaded(.pending))
        try await alice.delete()
        #expect(try await events.next() == .loaded(.notProvisioned))
    }

    @Test func `changed settings are reported once`() async throws {
        let stage = try await Stage()
        try await stage.activate()
        let alice = try stage.orchestrator().user("alice")
        var events = alice.accountEvents().makeAsyncIterator()
        #expect(try await events.next() == .loaded(.ready))
        var configuration = PlatformConfiguration()
        configuration.policy.codes.hostCodes = false
        configuration.pinPolicy = try #require(PINPolicy(minimumLength: 8))
        try await stage.platform.restart(configuration: configuration)
        for _ in 0..<3 { try await alice.synchronize() }
        try await alice.delete()
        #expect(try await events.next() == .settingsChanged)
        #expect(try await events.next() == .deleted)
    }

    @Test func `a change of the password is reported, also that of another process`() async throws {
        let scene = try await PasswordChangeScene()
        let user = PasswordChangeScene.user(from: Self.new, to: Stage.password)
        let alice = try scene.stage.orchestrator(user: user).user("alice")
        var events = alice.accountEvents().makeAsyncIterator()
        #expect(try await events.next() == .loaded(.ready))
        #expect(try await scene.change().last == "succeeded")
        for _ in 0..<2 { try await alice.synchronize() }
        #expect(try await events.next() == .passwordChanged)
        try await alice.changePassword()
        #expect(try await events.next() == .passwordChanged)
        try await alice.delete()
        #expect(try await events.next() == .deleted)
    }

    @Test func `the events end with the orchestrator`() async throws {
        let stage = try await Stage()
        try await stage.activate()
        var events = try stage.orchestrator().user("alice").accountEvents().makeAsyncIterator()
        #expect(try await events.next() == .loaded(.ready))
        #expect(try await events.next() == nil)
    }

    @Test func `the events end with the task of their consumer`() async throws {
        let stage = try await Stage()
        try await stage.activate()
        let alice = try stage.orchestrator().user("alice")
        let (loaded, load) = AsyncStream<Void>.makeStream()
        let consumer = Task {
            var seen: [AccountEvent] = []
            for try await event in alice.accountEvents() {
                seen.append(event)
                load.yield()
            }
            return seen
        }
        var loading = loaded.makeAsyncIterator()
        await loading.next()
        consumer.cancel()
        #expect(try await consumer.value == [.loaded(.ready)])
    }

    @Test func `a consumer that is slow gets the newest 32 events`() async throws {
        let stage = try await Stage()
        try await stage.activate()
        let app = try stage.orchestrator()
        let alice = app.user("alice")
        var events = alice.accountEvents().makeAsyncIterator()
        #expect(try await events.next() == .loaded(.ready))
        let name = try alice.storeName
        for tries in 0..<40 { app.environment.vault.watch.send(.triesLeft(tries), to: name) }
        for tries in 8..<40 { #expect(try await events.next() == .triesLeft(tries)) }
        try await alice.delete()
        #expect(try await events.next() == .deleted)
    }

    @Test func `a name that is none and a record that cannot be read are errors`() async throws {
        let stage = try await Stage()
        try await stage.activate()
        let app = try stage.orchestrator()
        await #expect(throws: OrchestrationError(.invalidUser)) {
            for try await _ in app.user("a/b").accountEvents() {}
        }
        let name = try app.user("alice").storeName
        try await stage.store.update(name) { _ in (.replace([1, 2, 3]), ()) }
        await #expect(throws: OrchestrationError(.storeCorrupt)) {
            for try await _ in app.user("alice").accountEvents() {}
        }
    }
}

/// A store whose readers have their value and wait, until they are resumed.
private actor PausingStore: SecureStore {
    private let base: MemoryStore
    private var isPaused = true
    private var readers: [CheckedContinuation<Void, Never>] = []
    private var observer: CheckedContinuation<Void, Never>?

    init(_ base: MemoryStore) { self.base = base }

    /// Returns when a reader waits.
    func waitForReader() async {
        guard readers.isEmpty else { return }
        await withCheckedContinuation { observer = $0 }
    }

    func resume() {
        isPaused = false
        for reader in readers { reader.resume() }
        readers = []
    }

    func names() async throws -> [StoreName] { try await base.names() }

    func read(_ name: StoreName) async throws -> [UInt8]? {
        let value = try await base.read(name)
        if isPaused {
            await withCheckedContinuation { reader in
                readers.append(reader)
                observer.take()?.resume()
            }
        }
        return value
    }

    func update<R: Sendable>(
        _ name: StoreName, _ body: @Sendable (_ current: [UInt8]?) throws -> (StoreChange, R)
    ) async throws -> R {
        try await base.update(name, body)
    }
}
