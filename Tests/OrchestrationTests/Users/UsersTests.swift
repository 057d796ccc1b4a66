import OrchestrationTesting
import Primitives
import TestSupport
import Testing
import TrustedIdentity

@testable import Orchestration

@Suite struct UsersTests {
    @Test func `no user is known before an activation`() async throws {
        let users = try await Stage().orchestrator().users
        #expect(try await users.list().isEmpty)
        #expect(try await !users.isActivated("alice"))
        await #expect(throws: OrchestrationError(.userUnknown)) { try await users.information("alice") }
        await #expect(throws: OrchestrationError(.userUnknown)) { try await users.delete("alice") }
        await #expect(throws: OrchestrationError(.invalidUser)) { try await users.isActivated("@b@c") }
    }

    @Test func `the domain of a call goes before the default`() async throws {
        let stage = try await Stage()
        try await stage.activate()
        let users = try stage.orchestrator().users
        #expect(try await users.isActivated("alice"))
        #expect(try await users.isActivated("alice@master"))
        #expect(try await users.isActivated("alice", domain: "MASTER"))
        #expect(try await !users.isActivated("alice", domain: "shop"))
        #expect(try await !users.isActivated("alice@shop"))
    }

    @Test func `the information says what the platform issued and holds no secret`() async throws {
        let stage = try await Stage()
        try await stage.activate()
        let information = try await stage.orchestrator().users.information("alice")
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
            try await app.activation(for: .init(user: user, activationPassword: activationPassword))
        }
        for user in ["alice", "bob"] {
            for (owner, password) in passwords {
                let app = try stage.orchestrator(user: ScriptedUser(password: password))
                let code = try await app.oneTimePassword(for: .init(user: user, application: .app2))
                let decision = try await stage.platform.login(user, code: code.oneTimePassword, application: .app2)
                #expect((decision.status == .accepted) == (owner == user), "the password of \(owner) for \(user)")
            }
        }
    }

    @Test func `deleting informs the platform, which revokes the device`() async throws {
        let stage = try await Stage()
        try await stage.activate()
        let users = try stage.orchestrator().users
        #expect(try await users.delete("alice").isEmpty)
        #expect(try await users.list().isEmpty)
        #expect(try await stage.store.names().isEmpty)
        let report = try await stage.platform.platform.account(ActivationExchange.account)
        #expect(report?.devices.allSatisfy { $0.state == .revoked } != false)
    }

    @Test func `deleting without a network works here and warns`() async throws {
        let stage = try await Stage()
        try await stage.activate()
        stage.wire.cut(true)
        let users = try stage.orchestrator().users
        #expect(try await users.delete("alice") == [Warning(.platformNotInformed)])
        #expect(try await stage.store.names().isEmpty)
    }

    @Test func `damaged data of a user can be deleted`() async throws {
        let stage = try await Stage()
        try await stage.activate()
        let name = try #require(try await stage.store.names().first)
        try await stage.store.update(name) { _ in (.replace([1, 2, 3]), ()) }
        let users = try stage.orchestrator().users
        await #expect(throws: OrchestrationError(.storeCorrupt)) { try await users.information("alice") }
        #expect(try await users.delete("alice") == [Warning(.platformNotInformed)])
        #expect(try await stage.store.names().isEmpty)
        try await stage.activate()
        #expect(try await users.isActivated("alice"))
    }

    @Test func `a record that cannot be read is listed with the others and can be deleted`() async throws {
        let stage = try await Stage()
        for user in ["carol", "alice", "bob"] {
            let code = try await stage.platform.register(user)
            _ = try await stage.orchestrator().activate(.init(user: user, activationPassword: code)).result()
        }
        let users = try stage.orchestrator().users
        let name = try users.storeName(of: "bob", domain: "master")
        try await stage.store.update(name) { _ in (.replace([1, 2, 3]), ()) }
        var listed = try await users.list()
        #expect(listed.map { $0.account?.text } == ["alice@master", "carol@master", nil])
        #expect(listed.map(\.state) == [.active, .active, .unreadable(OrchestrationError(.storeCorrupt))])
        #expect(listed.map { $0.information?.account.userID } == ["alice", "carol", nil])
        let damaged = try #require(listed.last)
        #expect(damaged.storeName == name)

        let sent = stage.wire.sent.count
        try await users.delete(damaged)
        try await users.delete(damaged)
        #expect(stage.wire.sent.count == sent)
        listed = try await users.list()
        #expect(listed.map { $0.account?.userID } == ["alice", "carol"])
    }

    @Test func `a store that cannot read one of its values lists the others`() async throws {
        let stage = try await Stage()
        try await stage.activate()
        let store = StoreWithUnreadableName(base: stage.store)
        let users = try stage.orchestrator(store: store).users
        let listed = try await users.list()
        #expect(listed.map(\.state) == [.active, .unreadable(OrchestrationError(.storeCorrupt))])
        #expect(listed.last?.storeName == StoreWithUnreadableName.name)
    }

    @Test func `deleting without the platform sends nothing`() async throws {
        let stage = try await Stage()
        try await stage.activate()
        let users = try stage.orchestrator().users
        let sent = stage.wire.sent.count
        #expect(try await users.delete("alice", domain: "master", informingPlatform: false).isEmpty)
        #expect(stage.wire.sent.count == sent)
        #expect(try await stage.store.names().isEmpty)
        await #expect(throws: OrchestrationError(.userUnknown)) {
            try await users.delete("alice", informingPlatform: false)
        }
        let report = try await stage.platform.platform.account(ActivationExchange.account)
        #expect(report?.devices.contains { $0.state == .revoked } == false)
    }

    @Test func `deletion and information take the domain of the call`() async throws {
        let stage = try await Stage()
        try await stage.activate()
        let users = try stage.orchestrator().users
        let unknown = OrchestrationError(.userUnknown)
        await #expect(throws: unknown) { try await users.information("alice", domain: "shop") }
        await #expect(throws: unknown) { try await users.delete("alice", domain: "shop") }
        await #expect(throws: unknown) { try await users.delete("alice", domain: "shop", informingPlatform: false) }
        #expect(try users.storeName(of: "alice", domain: "shop") != users.storeName(of: "alice"))
        #expect(try users.storeName(of: "alice", domain: "MASTER") == users.storeName(of: "alice@master"))
        #expect(try await users.information("alice", domain: "master").account.text == "alice@master")
        #expect(try await users.delete("alice", domain: "MASTER").isEmpty)
        #expect(try await stage.store.names().isEmpty)
    }

    @Test func `a provider for a method that no flow uses is refused`() async throws {
        let stage = try await Stage()
        for method in AuthenticationMethod.allCases where method != .password {
            let unused = ScriptedUser([], method: method)
            #expect(throws: OrchestrationError(.invalidConfiguration)) {
                try stage.orchestrator(providers: [stage.user, unused])
            }
        }
        #expect(OrchestrationError(.invalidConfiguration).message.contains("; correct"))
        #expect(throws: Never.self) { try stage.orchestrator(providers: [stage.user, stage.user]) }
        #expect(throws: Never.self) { try stage.orchestrator(providers: []) }
    }

    @Test func `a store brings its device keys, and software keys on better devices are a warning`() async throws {
        let salts = try Sample.salts()
        let random = SystemRandomSource()
        let folder = try TemporaryFolder()
        let files = try #require(
            try FileStore(directory: folder.url).defaultDeviceKeys(salts: salts, random: random) as? SoftwareDeviceKeys)
        _ = try await files.makeKey(for: #require(StoreName("user-1")))
        #expect(try folder.files().contains { $0.hasSuffix(".key") })
        #expect(try MemoryStore().defaultDeviceKeys(salts: salts, random: random) != nil)
        let other = StoreWithUnreadableName(base: MemoryStore())
        #expect(try other.defaultDeviceKeys(salts: salts, random: random) == nil)
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
