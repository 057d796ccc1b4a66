import Crypto
import Logging
import OrchestrationTesting
import Synchronization
import Testing
import TrustedIdentity

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

    @Test(arguments: LockableStore.Moment.allCases)
    func `a flow on a locked store fails with a recovery, and succeeds after the store is unlocked`(
        moment: LockableStore.Moment
    ) async throws {
        let stage = try await Stage()
        try await stage.activate()
        let store = LockableStore(base: stage.store)
        let app = try orchestrator(stage, user: ScriptedUser(password: Stage.password), store: store)
        let before = try await content(stage.store)
        store.lock(moment)
        let error = try #require(
            await #expect(throws: OrchestrationError.self) { try await app.user("alice").oneTimePassword() })
        #expect(error == OrchestrationError(.storeLocked))
        #expect(error.recovery == .tryAgain)
        #expect(try await content(stage.store) == before)
        store.lock(nil)
        let code = try await app.user("alice").oneTimePassword()
        #expect(try await stage.platform.login("alice", code: code.oneTimePassword).status == .accepted)
    }

    @Test(arguments: LockableStore.Moment.allCases)
    func `an activation on a locked store keeps the activation password valid`(
        moment: LockableStore.Moment
    ) async throws {
        let stage = try await Stage()
        let password = try await stage.platform.register("alice")
        let store = LockableStore(base: stage.store)
        let app = try orchestrator(stage, user: ScriptedUser(password: Stage.password), store: store)
        store.lock(moment)
        await #expect(throws: OrchestrationError(.storeLocked)) {
            try await app.user("alice").activate(with: password)
        }
        #expect(try await stage.store.names().isEmpty)
        store.lock(nil)
        _ = try await app.user("alice").activate(with: password)
        #expect(try await app.user("alice").isActivated)
    }

    private func content(_ store: MemoryStore) async throws -> [[UInt8]] {
        var content: [[UInt8]] = []
        for name in try await store.names() { content.append(try await store.read(name) ?? []) }
        return content
    }
}

/// A store whose values cannot be used while the device is locked, as items of the Keychain.
final class LockableStore: SecureStore {
    enum Moment: CaseIterable {
        /// The device is locked before the flow begins.
        case always
        /// The device is locked after the flow has read its data.
        case change
    }

    private let base: any SecureStore
    private let moment = Mutex<Moment?>(nil)

    init(base: any SecureStore) { self.base = base }

    /// Locks the device; `nil` to unlock it.
    func lock(_ moment: Moment?) { self.moment.withLock { $0 = moment } }

    func names() async throws -> [StoreName] { try await base.names() }

    func read(_ name: StoreName) async throws -> [UInt8]? {
        guard moment.withLock({ $0 }) != .always else { throw OrchestrationError(.storeLocked) }
        return try await base.read(name)
    }

    func update<R: Sendable>(
        _ name: StoreName, _ body: @Sendable (_ current: [UInt8]?) throws -> (StoreChange, R)
    ) async throws -> R {
        guard moment.withLock({ $0 }) == nil else { throw OrchestrationError(.storeLocked) }
        return try await base.update(name, body)
    }
}
