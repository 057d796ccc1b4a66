import OrchestrationTesting
import Primitives
import Synchronization
import TestSupport
import Testing

@testable import TrustedIdentity

/// The replacement of the master key while the platform serves.
@Suite struct MasterKeyReplacementTests {
    static let earlier = Result { try key("earlier-key", 9) }
    static let new = Result { try key("new-key", 10) }

    static func key(_ id: String, _ byte: UInt8) throws -> MasterKey {
        try MasterKey(id: id, bytes: SecretBytes(copying: [UInt8](repeating: byte, count: 32)))
    }

    static func harness(on store: (any SQLDatabase)? = nil) async throws -> Harness {
        try await Harness(on: store, masterKey: earlier.get())
    }

    /// Starts the platform again on the store of a harness.
    static func restarted(
        _ harness: Harness, on store: (any SQLDatabase)? = nil, _ key: MasterKey, others: [MasterKey] = []
    ) async throws -> Harness {
        try await Harness(
            harness.configuration, store: harness.store, on: store, masterKey: key, otherMasterKeys: others,
            time: harness.time, random: harness.random)
    }

    @Test func `every kind of row works with the new key alone, and one row changes`() async throws {
        let folder = try TemporaryFolder()
        let path = folder.file("platform.sqlite")
        let store = try await SQLiteDatabase(path: path)
        let harness = try await Self.harness(on: store)
        let scene = try await MasterKeyScene(harness)
        let database = try DatabaseText(path)
        #expect(try database.columns(with: "earlier-key") == ["platform_state.master_key_id"])

        #expect(try await harness.platform.replaceMasterKey(with: Self.new.get()))
        #expect(try await harness.platform.masterKeyReport().id == "new-key")
        #expect(try database.columns(with: "earlier-key") == ["audit.reason"])
        #expect(try database.columns(with: "new-key") == ["audit.reason", "platform_state.master_key_id"])
        #expect(try await !harness.platform.replaceMasterKey(with: Self.new.get()))

        let after = try await Self.restarted(harness, on: store, Self.new.get())
        try await scene.expectEverythingWorks(on: after)
        #expect(try await after.events(.masterKeyReplaced).map(\.reason) == ["earlier-key>new-key"])
        try await store.close()
    }

    @Test func `a start needs the current key, and gets no data keys from any other one`() async throws {
        let harness = try await Self.harness()
        let before = try await harness.store.read { try $0.platformState() }
        let missing = await #expect(throws: PlatformError.self) {
            _ = try await Self.restarted(harness, Self.new.get())
        }
        #expect(missing?.code == .wrongMasterKey)
        #expect(missing?.underlying as? MissingMasterKey == MissingMasterKey(id: "earlier-key"))
        let other = await #expect(throws: PlatformError.self) {
            _ = try await Self.restarted(harness, Self.key("earlier-key", 11))
        }
        #expect(other?.code == .wrongMasterKey && !(other?.underlying is MissingMasterKey))
        #expect(try await harness.store.read { try $0.platformState() } == before)
        _ = try await Self.restarted(harness, Self.new.get(), others: [Self.earlier.get()])
    }

    @Test func `another key with the id of the current one is refused, and nothing changes`() async throws {
        let harness = try await Self.harness()
        let before = try await harness.store.read { try $0.platformState() }
        await #expect(throws: PlatformError(.wrongMasterKey)) {
            _ = try await harness.platform.replaceMasterKey(with: Self.key("earlier-key", 11))
        }
        #expect(try await harness.store.read { try $0.platformState() } == before)
        #expect(try await harness.events(.masterKeyReplaced).isEmpty)
    }

    @Test(arguments: [false, true])
    func `a crash before and after the commit leaves a store that one of both keys opens`(isAfterCommit: Bool)
        async throws
    {
        let harness = try await Self.harness()
        let scene = try await MasterKeyScene(harness)
        let store = CrashingStore(harness.store)
        let (earlier, new) = (try Self.earlier.get(), try Self.new.get())
        let fragile = try await Self.restarted(harness, on: store, earlier)
        store.crash(atWrite: 0, afterCommit: isAfterCommit)
        await #expect(throws: PlatformError(.storeFailed)) {
            _ = try await fragile.platform.replaceMasterKey(with: new)
        }
        let after = try await Self.restarted(harness, earlier, others: [new])
        #expect(try await after.platform.masterKeyReport().id == (isAfterCommit ? "new-key" : "earlier-key"))
        #expect(try await after.platform.replaceMasterKey(with: new) == !isAfterCommit)
        try await scene.expectEverythingWorks(on: Self.restarted(harness, new))
    }

    @Test func `of several calls at the same time, the last one has the key that the store needs`() async throws {
        let harness = try await Self.harness()
        let device = try await harness.activate()
        let platform = harness.platform
        let keys = try (UInt8(0)..<8).map { try Self.key("key-\($0)", 100 + $0) }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for key in keys {
                group.addTask {
                    let isReplaced = try await platform.replaceMasterKey(with: key)
                    #expect(isReplaced)
                }
            }
            try await group.waitForAll()
        }
        let id = try await platform.masterKeyReport().id
        let last = try #require(keys.first { $0.id == id })
        #expect(try await harness.login(device.code(at: harness.time.now())).status == .accepted)
        _ = try await Self.restarted(harness, last)
    }

    @Test func `no login fails while the key is replaced`() async throws {
        let harness = try await Self.harness()
        var codes: [[String]] = []
        for number in 0..<4 {
            let device = try await harness.activate("user\(number)@master")
            codes.append(try (UInt64(0)..<40).map { try device.code(counter: $0) })
        }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for (number, codes) in codes.enumerated() {
                group.addTask {
                    for code in codes {
                        let decision = try await harness.login(code, "user\(number)@master", application: .app2)
                        #expect(decision.status == .accepted)
                    }
                }
            }
            for number in UInt8(0)..<20 {
                #expect(try await harness.platform.replaceMasterKey(with: Self.key("key-\(number)", 100 + number)))
            }
            try await group.waitForAll()
        }
        #expect(try await harness.platform.verifyAudit().findings == [])
    }

    @Test func `a database whose row about the platform is gone gets no new keys`() async throws {
        for table in ["account", "audit", "challenge", "risk", "tally"] {
            let store = SQLiteDatabase.inMemory()
            try await store.write { store in
                let now = Timestamp(secondsSinceEpoch: 0)
                switch table {
                case "audit": try store.append(AuditEntry(time: now, event: .registered))
                case "challenge":
                    try requireWritten(
                        store.insert(
                            ChallengeRecord(
                                id: [UInt8](repeating: 5, count: 16), account: "alice@master", principal: "k1",
                                challenge: "12345674", expiresAt: now)))
                case "risk": try requireWritten(store.insert(AccountRiskRecord(account: "alice@master", state: [1])))
                case "tally": try store.tally(.loginRefused, reason: "wrongCode", hour: now)
                default:
                    try requireWritten(
                        store.insert(
                            AccountRecord(name: "alice@master", createdAt: now, registrationID: "r1")))
                }
            }
            await #expect(throws: PlatformError(.alteredRow), "\(table)") { _ = try await Harness(store: store) }
        }
    }

    @Test func `a backup needs the key of its day, and the export of the log applies to it`() async throws {
        let harness = try await Self.harness()
        let user = "erin@master"
        _ = try await harness.register(user, staticPassword: MasterKeyScene.staticPassword)
        let backup = try harness.snapshot()
        #expect(try await harness.platform.replaceMasterKey(with: Self.new.get()))
        _ = try await harness.register(user, staticPassword: "another correct horse")
        let file = try await harness.exportAudit()

        let restored = try await Harness(
            harness.configuration, store: backup, masterKey: Self.earlier.get(), time: harness.time,
            random: harness.random)
        let report = try await restored.restore(applying: file)
        #expect(report.staticPasswords == 1)
        let login = LoginRequest(
            account: try Harness.account(user), credential: .staticPassword(MasterKeyScene.staticPassword))
        #expect(try await restored.platform.login(login).status == .refused)
    }
}

/// A store that fails at one write, before or after its commit, and at every call from then on.
final class CrashingStore: SQLDatabase {
    private struct State {
        var writes: Int?
        var isAfterCommit = false
        var hasCrashed = false
    }

    private let base: any SQLDatabase
    private let state = Mutex(State())

    init(_ base: any SQLDatabase) { self.base = base }

    var hasCrashed: Bool { state.withLock { $0.hasCrashed } }

    func repair() { state.withLock { $0 = State() } }

    func crash(atWrite number: Int, afterCommit: Bool) {
        state.withLock { $0 = State(writes: number, isAfterCommit: afterCommit) }
    }

    func read<R: Sendable>(_ body: @escaping @Sendable (any SQLSession) throws -> R) async throws -> R {
        guard !hasCrashed else { throw StoreError(.full) }
        return try await base.read(body)
    }

    func write<R: Sendable>(_ body: @escaping @Sendable (any SQLSession) throws -> R) async throws -> R {
        guard !hasCrashed else { throw StoreError(.full) }
        let crashes = state.withLock { state in
            guard let writes = state.writes else { return (before: false, after: false) }
            state.writes = writes - 1
            guard writes == 0 else { return (before: false, after: false) }
            state.hasCrashed = true
            return (before: !state.isAfterCommit, after: state.isAfterCommit)
        }
        if crashes.before { throw StoreError(.full) }
        let result = try await base.write(body)
        if crashes.after { throw StoreError(.full) }
        return result
    }
}
