import OrchestrationTesting
import Primitives
import Synchronization
import TestSupport
import Testing
import TrustedIdentitySQLite

@testable import TrustedIdentity

/// The replacement of the master key while the platform serves.
@Suite struct MasterKeyReplacementTests {
    static let earlier = Result { try key("earlier-key", 9) }
    static let new = Result { try key("new-key", 10) }

    static func key(_ id: String, _ byte: UInt8) throws -> MasterKey {
        try MasterKey(id: id, bytes: SecretBytes(copying: [UInt8](repeating: byte, count: 32)))
    }

    static func harness(on store: (any PlatformStore)? = nil) async throws -> Harness {
        try await Harness(on: store, masterKey: earlier.get(), otherMasterKeys: [new.get()])
    }

    /// Starts the platform again on the store of a harness.
    static func restarted(
        _ harness: Harness, on store: (any PlatformStore)? = nil, _ key: MasterKey, others: [MasterKey] = []
    ) async throws -> Harness {
        try await Harness(
            harness.configuration, store: harness.store, on: store, masterKey: key, otherMasterKeys: others,
            time: harness.time, random: harness.random)
    }

    /// Runs the maintenance until the replacement has ended.
    static func finish(_ harness: Harness) async throws {
        for _ in 0..<500 where harness.platform.masterKeyReport.previousID != nil {
            #expect(try await Maintenance(harness.platform).runOnce())
            harness.time.advance(seconds: 1)
        }
        #expect(harness.platform.masterKeyReport.previousID == nil)
    }

    @Test func `every kind of row works with the new key alone, and none names the earlier one`() async throws {
        let folder = try TemporaryFolder()
        let path = folder.file("platform.sqlite")
        let store = try await SQLiteStore(path: path)
        let harness = try await Self.harness(on: store)
        let scene = try await MasterKeyScene(harness)
        let database = try DatabaseText(path)
        let sealed = try database.columns(with: "earlier-key")
        #expect(sealed.isSuperset(of: Self.sealedColumns))

        #expect(try await harness.platform.replaceMasterKey(with: Self.new.get()) == .begun)
        #expect(harness.platform.masterKeyReport.previousID == "earlier-key")
        try await Self.finish(harness)
        #expect(harness.platform.masterKeyReport.id == "new-key")
        // The name of the earlier key is in the audit log only, and in the sealed value that keeps its seals.
        #expect(try database.columns(with: "earlier-key") == ["audit.reason"])
        #expect(try database.columns(with: "new-key").isSuperset(of: Self.sealedColumns))

        let after = try await Self.restarted(harness, on: store, Self.new.get())
        try await scene.expectEverythingWorks(on: after)
        #expect(try await Self.rowsWithoutPresentCode(after) == 0)
        let events = try await after.events(.masterKeyReplacementBegun) + after.events(.masterKeyReplaced)
        #expect(events.map(\.reason) == ["earlier-key>new-key", "earlier-key>new-key"])
        let missing = await #expect(throws: PlatformError.self) {
            _ = try await Self.restarted(harness, on: store, Self.earlier.get())
        }
        #expect(missing?.code == .wrongMasterKey)
        #expect(missing?.underlying as? MissingMasterKey == MissingMasterKey(id: "new-key"))
        try await store.close()
    }

    /// The columns of ``RowSealer/Table``, but for that of the retained keys.
    private static let sealedColumns: Set<String> = [
        "account.static_password", "activation_password.secret", "activation_session.keys", "device.secrets",
        "device.ratchet", "device.channel_key", "approval.number", "device_data.content", "platform_key.private_key",
    ]

    @Test func `the list of sealed columns is complete`() {
        #expect(Self.sealedColumns.count + 1 == RowSealer.Table.allCases.count)
    }

    /// Returns the number of rows whose HMAC is not that of the present master key.
    private static func rowsWithoutPresentCode(_ harness: Harness) async throws -> Int {
        let authenticator = harness.platform.store.authenticator
        return try await harness.platform.store.base.read { store in
            func count(_ rows: [some AuthenticatedRecord]) -> Int { rows.count { !authenticator.isCurrent($0) } }
            return count(try store.accounts(after: nil, limit: 1_000))
                + count(try store.devices(after: nil, limit: 1_000))
                + count(try store.challenges(after: nil, limit: 1_000))
                + count(try store.approvals(after: nil, limit: 1_000))
                + count(try store.accountRisks(after: nil, limit: 1_000)) + count(try store.apiKeys())
                + count(try store.platformKeys()) + count([try store.presentState()])
        }
    }

    @Test func `everything works in the middle of a replacement, and after a restart in it`() async throws {
        let harness = try await Self.harness()
        let scene = try await MasterKeyScene(harness)
        #expect(try await harness.platform.replaceMasterKey(with: Self.new.get()) == .begun)
        #expect(try await harness.platform.replaceMasterKey(with: Self.key("third", 11)) == .underWay)
        #expect(try await harness.platform.replaceMasterKey(with: Self.new.get()) == .unnecessary)
        // One of the keys is not enough.
        for key in [try Self.earlier.get(), try Self.new.get()] {
            await #expect(throws: PlatformError.self) { _ = try await Self.restarted(harness, key) }
        }
        let after = try await Self.restarted(harness, Self.earlier.get(), others: [Self.new.get()])
        #expect(after.platform.masterKeyReport.previousID == "earlier-key")
        try await scene.expectEverythingWorks(on: after)
        try await Self.finish(after)
        _ = try await Self.restarted(harness, Self.new.get())
    }

    @Test func `a crash at any write loses nothing, and the replacement goes on after a restart`() async throws {
        var crashes = 0
        for write in 0..<200 {
            let harness = try await Self.harness()
            let scene = try await MasterKeyScene(harness)
            let store = CrashingStore(harness.store)
            let keys = [try Self.earlier.get(), try Self.new.get()]
            let fragile = try await Self.restarted(harness, on: store, keys[0], others: [keys[1]])
            store.crash(atWrite: write, afterCommit: write.isMultiple(of: 2))
            do {
                _ = try await fragile.platform.replaceMasterKey(with: keys[1])
                for _ in 0..<200 where fragile.platform.masterKeyReport.previousID != nil && !store.hasCrashed {
                    try await fragile.platform.renewRows()
                    harness.time.advance(seconds: 1)
                }
            } catch {
                #expect(store.hasCrashed)
            }
            guard store.hasCrashed else { break }
            crashes += 1
            let after = try await Self.restarted(harness, keys[0], others: [keys[1]])
            _ = try await after.platform.replaceMasterKey(with: keys[1])
            try await Self.finish(after)
            let alone = try await Self.restarted(harness, keys[1])
            if write.isMultiple(of: 4) { try await scene.expectEverythingWorks(on: alone) }
            #expect(try await alone.platform.verifyAudit().findings == [])
        }
        // The beginning, a write for each kind of row, and the end.
        #expect(crashes > 12 && crashes < 200)
    }

    @Test func `of several calls at the same time, one begins`() async throws {
        let harness = try await Self.harness()
        let device = try await harness.activate()
        let platform = harness.platform
        let results = try await withThrowingTaskGroup(of: (String, MasterKeyReplacement).self) { group in
            for number in UInt8(0)..<8 {
                group.addTask {
                    let key = try Self.key("key-\(number)", 100 + number)
                    return (key.id, try await platform.replaceMasterKey(with: key))
                }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        let begun = results.filter { $0.1 == .begun }.map(\.0)
        #expect(begun == [platform.masterKeyReport.id] && results.count { $0.1 == .underWay } == 7)
        #expect(try await harness.login(device.code(at: harness.time.now())).status == .accepted)
        try await Self.finish(harness)
    }

    @Test func `a beginning that was committed and reported as a failure is taken up by the next call`() async throws {
        let harness = try await Self.harness()
        let store = CrashingStore(harness.store)
        let (earlier, new) = (try Self.earlier.get(), try Self.new.get())
        let fragile = try await Self.restarted(harness, on: store, earlier, others: [new])
        store.crash(atWrite: 0, afterCommit: true)
        await #expect(throws: PlatformError(.storeFailed)) {
            _ = try await fragile.platform.replaceMasterKey(with: new)
        }
        #expect(fragile.platform.masterKeyReport.previousID == nil)
        store.repair()
        #expect(try await fragile.platform.replaceMasterKey(with: Self.key("third", 11)) == .underWay)
        #expect(try await fragile.platform.replaceMasterKey(with: new) == .begun)
        try await Self.finish(fragile)
        #expect(try await fragile.platform.verifyAudit().findings == [])
        _ = try await Self.restarted(harness, new)
    }

    @Test func `a row that a request sealed under the earlier key is found by a later walk`() async throws {
        let harness = try await Self.harness()
        let device = try await harness.activate()
        let sealer = RowSealer(tenant: "default", masterKey: try Self.earlier.get(), random: harness.random)
        #expect(try await harness.platform.replaceMasterKey(with: Self.new.get()) == .begun)
        for _ in 0..<50 { try await harness.platform.renewRows() }
        let data = DeviceDataRecord(
            device: device.id,
            content: try sealer.seal(
                SecretBytes(copying: [1]), .deviceData, row: device.id,
                owner: RowOwner(try #require(try await harness.device(device))), revision: 0),
            keptUntil: harness.time.now().advanced(milliseconds: 3_600_000))
        try await harness.platform.store.write { try $0.put(data) }
        #expect(harness.platform.masterKeyReport.previousID != nil)
        try await Self.finish(harness)
        let stored = try await harness.store.read { [id = device.id] in try $0.deviceData(of: id) }
        #expect(stored?.content.keyID == "new-key")
    }

    @Test func `no login fails while rows are renewed`() async throws {
        let harness = try await Self.harness()
        var codes: [[String]] = []
        for number in 0..<12 {
            let device = try await harness.activate("user\(number)@master")
            codes.append(try (UInt64(0)..<400).map { try device.code(counter: $0) })
        }
        let isOver = Flag()
        try await withThrowingTaskGroup(of: Int.self) { group in
            for (number, codes) in codes.enumerated() {
                group.addTask {
                    var count = 0
                    for code in codes where !isOver.isSet || count == 0 {
                        let decision = try await harness.login(code, "user\(number)@master", application: .app2)
                        #expect(decision.status == .accepted)
                        count += 1
                    }
                    return count
                }
            }
            #expect(try await harness.platform.replaceMasterKey(with: Self.new.get()) == .begun)
            try await Self.finish(harness)
            isOver.set()
            #expect(try await group.reduce(0, +) >= codes.count)
        }
        let after = try await Self.restarted(harness, Self.new.get())
        #expect(try await after.platform.verifyAudit().findings == [])
    }

    @Test func `a key that the store had before is refused, and further replacements keep what they need`()
        async throws
    {
        var harness = try await Self.harness()
        let scene = try await MasterKeyScene(harness)
        let changeKey = harness.platform.changeKey.id
        await #expect(throws: PlatformError(.malformedRequest)) {
            _ = try await harness.platform.replaceMasterKey(with: Self.key("same-bytes", 9))
        }
        var last = try Self.earlier.get()
        for number in UInt8(20)..<24 {
            let next = try Self.key("key-\(number)", number)
            harness = try await Self.restarted(harness, last, others: [next])
            #expect(try await harness.platform.replaceMasterKey(with: next) == .begun)
            try await Self.finish(harness)
            harness.time.advance(seconds: 120)
            #expect(try await Maintenance(harness.platform).runOnce())
            await #expect(throws: PlatformError(.malformedRequest)) {
                _ = try await harness.platform.replaceMasterKey(with: Self.earlier.get())
            }
            last = next
        }
        let after = try await Self.restarted(harness, last)
        #expect(after.platform.changeKey.id == changeKey)
        #expect(try await after.platform.authenticate(apiKey: scene.key.secret)?.id == scene.key.id)
        #expect(try await after.platform.verifyAudit().findings == [])
    }
}

/// What the holder of an earlier master key can do to a database that was replaced since.
@Suite struct EarlierMasterKeyTests {
    typealias Replacement = MasterKeyReplacementTests

    @Test func `a row under the earlier key is refused from the end on`() async throws {
        let harness = try await Replacement.harness()
        let device = try await harness.activate()
        let forger = RowAuthenticator(tenant: "default", masterKey: try Replacement.earlier.get())
        #expect(try await harness.platform.replaceMasterKey(with: Replacement.new.get()) == .begun)
        try await Replacement.finish(harness)
        let record = try #require(try await harness.device(device))
        let changed = forger.authenticatedForUpdate(record)
        _ = try await harness.store.write { try $0.update(changed) }
        // The running platform has the earlier key for another minute. One that starts afterwards does not use it.
        let after = try await Replacement.restarted(
            harness, Replacement.new.get(), others: [Replacement.earlier.get()])
        await #expect(throws: PlatformError(.alteredRow)) {
            _ = try await after.platform.read { [id = device.id] in try $0.device(id) }
        }
        harness.time.advance(seconds: 60)
        _ = try await Maintenance(harness.platform).runOnce()
        await #expect(throws: PlatformError(.alteredRow)) {
            _ = try await harness.platform.read { [id = device.id] in try $0.device(id) }
        }
    }

    @Test func `a static password keeps the identity that the audit log ends it by`() async throws {
        let harness = try await Replacement.harness()
        let user = "erin@master"
        _ = try await harness.register(user, staticPassword: MasterKeyScene.staticPassword)
        let backup = harness.store.snapshot()
        #expect(try await harness.platform.replaceMasterKey(with: Replacement.new.get()) == .begun)
        try await Replacement.finish(harness)
        _ = try await harness.register(user, staticPassword: "another correct horse")
        let file = try await harness.exportAudit()

        // The backup needs the earlier key, and the file has the HMAC of the new one.
        let restored = try await Harness(
            harness.configuration, store: backup, masterKey: Replacement.earlier.get(),
            otherMasterKeys: [Replacement.new.get()], time: harness.time, random: harness.random)
        let report = try await restored.restore(applying: file)
        #expect(report.staticPasswords == 1)
        let login = LoginRequest(
            account: try Harness.account(user), credential: .staticPassword(MasterKeyScene.staticPassword))
        #expect(try await restored.platform.login(login).status == .refused)
    }
}

private final class Flag: Sendable {
    private let state = Mutex(false)

    var isSet: Bool { state.withLock { $0 } }

    func set() { state.withLock { $0 = true } }
}

/// A store that fails at one write, before or after its commit, and at every call from then on.
final class CrashingStore: PlatformStore {
    private struct State {
        var writes: Int?
        var isAfterCommit = false
        var hasCrashed = false
    }

    private let base: any PlatformStore
    private let state = Mutex(State())

    init(_ base: any PlatformStore) { self.base = base }

    var hasCrashed: Bool { state.withLock { $0.hasCrashed } }

    func repair() { state.withLock { $0 = State() } }

    func crash(atWrite number: Int, afterCommit: Bool) {
        state.withLock { $0 = State(writes: number, isAfterCommit: afterCommit) }
    }

    func read<R: Sendable>(_ body: @escaping @Sendable (any StoreReader) throws -> R) async throws -> R {
        guard !hasCrashed else { throw PlatformStoreError(.full) }
        return try await base.read(body)
    }

    func write<R: Sendable>(_ body: @escaping @Sendable (any StoreTransaction) throws -> R) async throws -> R {
        guard !hasCrashed else { throw PlatformStoreError(.full) }
        let crashes = state.withLock { state in
            guard let writes = state.writes else { return (before: false, after: false) }
            state.writes = writes - 1
            guard writes == 0 else { return (before: false, after: false) }
            state.hasCrashed = true
            return (before: !state.isAfterCommit, after: state.isAfterCommit)
        }
        if crashes.before { throw PlatformStoreError(.full) }
        let result = try await base.write(body)
        if crashes.after { throw PlatformStoreError(.full) }
        return result
    }
}
