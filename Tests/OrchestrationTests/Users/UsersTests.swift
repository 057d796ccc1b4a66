import OrchestrationTesting
import Primitives
import TestSupport
import Testing
import TrustedIdentity

@testable import Orchestration

@Suite struct UsersTests {
    @Test func `no user is known before an activation`() async throws {
        let app = try await Stage().orchestrator()
        #expect(try await app.users.list().isEmpty)
        #expect(try await !app.user("alice").isActivated)
        await #expect(throws: OrchestrationError(.userUnknown)) { try await app.user("alice").information }
        await #expect(throws: OrchestrationError(.userUnknown)) { try await app.user("alice").delete() }
        await #expect(throws: OrchestrationError(.invalidUser)) { try await app.user("@b@c").isActivated }
    }

    @Test func `the domain of a call goes before the default`() async throws {
        let stage = try await Stage()
        try await stage.activate()
        let app = try stage.orchestrator()
        #expect(try await app.user("alice").isActivated)
        #expect(try await app.user("alice@master").isActivated)
        #expect(try await app.user("alice", domain: "MASTER").isActivated)
        #expect(try await !app.user("alice", domain: "shop").isActivated)
        #expect(try await !app.user("alice@shop").isActivated)
    }

    @Test func `the information says what the platform issued and holds no secret`() async throws {
        let stage = try await Stage()
        try await stage.activate()
        let information = try await stage.orchestrator().user("alice").information
        #expect(information.account.text == "alice@master")
        #expect(information.passwordPolicy == .default)
        #expect(information.applications.map(\.kind) == [.timeBased, .counterBased, .challenge, .signature])
        #expect(information.deviceID.count == 32)
    }

    @Test func `each user has a password, and another user's password makes no code that is accepted`() async throws {
        let stage = try await Stage()
        let passwords: KeyValuePairs = ["alice": Stage.password, "bob": "739105"]
        for (user, password) in passwords {
            let app = try stage.orchestrator(user: ScriptedUser(password: password))
            let activationPassword = try await stage.platform.register(user)
            try await app.user(user).activate(with: activationPassword)
        }
        for user in ["alice", "bob"] {
            for (owner, password) in passwords {
                let app = try stage.orchestrator(user: ScriptedUser(password: password))
                let code = try await app.user(user).oneTimePassword(application: .app2)
                let decision = try await stage.platform.login(user, code: code.oneTimePassword, application: .app2)
                #expect((decision.status == .accepted) == (owner == user), "the password of \(owner) for \(user)")
            }
        }
    }

    @Test func `deleting informs the platform, which revokes the device`() async throws {
        let stage = try await Stage()
        try await stage.activate()
        let app = try stage.orchestrator()
        #expect(try await app.user("alice").delete().isEmpty)
        #expect(try await app.users.list().isEmpty)
        #expect(try await stage.store.names().isEmpty)
        let report = try await stage.platform.platform.account(ActivationExchange.account)
        #expect(report?.devices.allSatisfy { $0.state == .revoked } != false)
    }

    @Test func `deleting without a network works here and warns`() async throws {
        let stage = try await Stage()
        try await stage.activate()
        stage.wire.cut(true)
        let app = try stage.orchestrator()
        #expect(try await app.user("alice").delete() == [Warning(.platformNotInformed)])
        #expect(try await stage.store.names().isEmpty)
    }

    @Test func `damaged data of a user can be deleted`() async throws {
        let stage = try await Stage()
        try await stage.activate()
        let name = try #require(try await stage.store.names().first)
        try await stage.store.update(name) { _ in (.replace([1, 2, 3]), ()) }
        let app = try stage.orchestrator()
        await #expect(throws: OrchestrationError(.storeCorrupt)) { try await app.user("alice").information }
        #expect(try await app.user("alice").delete() == [Warning(.platformNotInformed)])
        #expect(try await stage.store.names().isEmpty)
        try await stage.activate()
        #expect(try await app.user("alice").isActivated)
    }

    @Test func `a record that cannot be read is listed with the others and can be deleted`() async throws {
        let stage = try await Stage()
        for user in ["carol", "alice", "bob"] {
            let code = try await stage.platform.register(user)
            _ = try await stage.orchestrator().activate(user, with: code).result()
        }
        let app = try stage.orchestrator()
        let name = try app.user("bob", domain: "master").storeName
        try await stage.store.update(name) { _ in (.replace([1, 2, 3]), ()) }
        var listed = try await app.users.list()
        #expect(listed.map { $0.account?.text } == ["alice@master", "carol@master", nil])
        #expect(listed.map(\.information?.state) == [.ready, .ready, nil])
        #expect(listed.map(\.error?.code) == [nil, nil, .storeCorrupt])
        #expect(listed.map { $0.information?.account.userID } == ["alice", "carol", nil])
        let damaged = try #require(listed.last)
        #expect(damaged.storeName == name)

        let sent = stage.wire.sent.count
        try await app.users.delete(damaged)
        try await app.users.delete(damaged)
        #expect(stage.wire.sent.count == sent)
        listed = try await app.users.list()
        #expect(listed.map { $0.account?.userID } == ["alice", "carol"])
    }

    @Test func `a store that cannot read one of its values lists the others`() async throws {
        let stage = try await Stage()
        try await stage.activate()
        let store = StoreWithUnreadableName(base: stage.store)
        let app = try stage.orchestrator(store: store)
        let listed = try await app.users.list()
        #expect(listed.map(\.information?.state) == [.ready, nil])
        #expect(listed.map(\.error?.code) == [nil, .storeCorrupt])
        #expect(listed.last?.storeName == StoreWithUnreadableName.name)
    }

    @Test func `deleting without the platform sends nothing`() async throws {
        let stage = try await Stage()
        try await stage.activate()
        let app = try stage.orchestrator()
        let sent = stage.wire.sent.count
        #expect(try await app.user("alice", domain: "master").delete(informingPlatform: false).isEmpty)
        #expect(stage.wire.sent.count == sent)
        #expect(try await stage.store.names().isEmpty)
        await #expect(throws: OrchestrationError(.userUnknown)) {
            try await app.user("alice").delete(informingPlatform: false)
        }
        let report = try await stage.platform.platform.account(ActivationExchange.account)
        #expect(report?.devices.contains { $0.state == .revoked } == false)
    }

    @Test func `deletion and information take the domain of the call`() async throws {
        let stage = try await Stage()
        try await stage.activate()
        let app = try stage.orchestrator()
        let unknown = OrchestrationError(.userUnknown)
        await #expect(throws: unknown) { try await app.user("alice", domain: "shop").information }
        await #expect(throws: unknown) { try await app.user("alice", domain: "shop").delete() }
        await #expect(throws: unknown) { try await app.user("alice", domain: "shop").delete(informingPlatform: false) }
        #expect(try app.user("alice", domain: "shop").storeName != app.user("alice").storeName)
        #expect(try app.user("alice", domain: "MASTER").storeName == app.user("alice@master").storeName)
        #expect(try await app.user("alice", domain: "master").information.account.text == "alice@master")
        #expect(try await app.user("alice", domain: "MASTER").delete().isEmpty)
        #expect(try await stage.store.names().isEmpty)
    }

    @Test func `a store brings its device keys, and software keys on better devices are a warning`() async throws {
        let salts = try Sample.salts()
        let random = SystemRandomSource()
        let folder = try TemporaryFolder()
        let files = try #require(
            try FileStore(directory: folder.url).defaultDeviceKeys(salts: salts, random: random) as? SoftwareDeviceKeys)
        _ = try await files.makeKey(for: #require(StoreName("user-1")))
        #expect(try folder.files().contains { $0.hasSuffix(".key") })
        _ = try MemoryStore().defaultDeviceKeys(salts: salts, random: random)
        let other = StoreWithUnreadableName(base: MemoryStore())
        await #expect(throws: OrchestrationError(.invalidConfiguration)) {
            _ = try await Orchestrator(
                configuration: Configuration(salts: salts), transport: RelayTransport(), providers: [], store: other)
        }
        for (hasHardware, expected) in [(true, [Warning(.softwareKeys)]), (false, [])] {
            let keys = SoftwareDeviceKeys(
                folder: try DiskFolder(path: folder.path), salts: salts, machine: MachineIdentity(bytes: []),
                random: random, hasHardwareKeys: hasHardware)
            #expect(try await Stage().orchestrator(keys: keys).warnings == expected)
        }
    }
}

/// A store with a value of its own that it cannot read.
private struct StoreWithUnreadableName: SecureStore {
    static let name = StoreName("user-unreadable")

    let base: any SecureStore

    func names() async throws -> [StoreName] { try await base.names() + [Self.name].compactMap { $0 } }

    func read(_ name: StoreName) async throws -> [UInt8]? {
        guard name != Self.name else { throw OrchestrationError(.storeCorrupt) }
        return try await base.read(name)
    }

    func update<R: Sendable>(
        _ name: StoreName, _ body: @Sendable (_ current: [UInt8]?) throws -> (StoreChange, R)
    ) async throws -> R {
        try await base.update(name, body)
    }
}
