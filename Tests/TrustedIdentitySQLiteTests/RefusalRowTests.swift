import GRDB
import OrchestrationTesting
import Primitives
import TestSupport
import Testing
import TrustedIdentity
import TrustedIdentitySQLite

/// The rows that a refused code changes are there before it. A new row takes SQLite more time than a changed one.
@Suite struct RefusalRowTests {
    let folder: TemporaryFolder
    var path: String { folder.file("platform.sqlite") }

    init() throws { folder = try TemporaryFolder() }

    /// Opens a platform, and closes its store after the body.
    private func withPlatform(_ body: (Platform) async throws -> Void) async throws {
        let store = try await SQLiteStore(path: path)
        let key = "rows:" + String(repeating: "5a", count: 32)
        let platform = try await Platform(store: store, masterKey: MasterKey(encoded: SecretBytes(copying: key.utf8)))
        do {
            try await body(platform)
        } catch {
            try await store.close()
            throw error
        }
        try await store.close()
    }

    private func prepare() async throws {
        try await withPlatform { platform in
            let isPrepared = try await Maintenance(platform).prepareRefusals()
            #expect(isPrepared)
        }
    }

    private func refuse(_ user: String, on platform: Platform) async throws {
        let account = try AccountName(userID: user, domain: "master")
        let decision = try await platform.login(.init(account: account, credential: .oneTimePassword("00000000")))
        #expect(decision.status == .refused)
    }

    /// Returns the rows of both tables, without what a refusal changes.
    private func keys() throws -> [String] {
        let queue = try DatabaseQueue(path: path)
        defer { try? queue.close() }
        return try queue.read { database in
            try String.fetchAll(
                database,
                sql: """
                    SELECT account || ' ' || kind || ' ' || source FROM throttle
                    UNION ALL SELECT name || ' ' || listing FROM audit_listing ORDER BY 1
                    """)
        }
    }

    @Test func `a refused code adds no row of counts, whether its account exists or was refused before`() async throws {
        try await withPlatform { platform in
            for user in ["alice", "bob"] {
                _ = try await platform.register(.init(account: AccountName(userID: user, domain: "master")))
            }
            #expect(try await Maintenance(platform).prepareRefusals())
        }
        let before = try keys()
        #expect(before.filter { $0.hasPrefix("alice@master ") }.count == 3)
        // The shared names, the one that marks their end, and the two accounts.
        let (names, listed) = (16_384 + 1 + 2, 16_384 + 2)
        #expect(before.count == 2 * names + listed)
        try await withPlatform { platform in
            // Another start finds that the rows are there.
            #expect(try await Maintenance(platform).prepareRefusals())
            for _ in 0..<7 { try await refuse("alice", on: platform) }
            try await refuse("bob", on: platform)
            for number in 0..<50 { try await refuse("nobody\(number)", on: platform) }
        }
        #expect(try keys() == before)
        let changed = try await DatabaseQueue(path: path).read { database in
            try Int.fetchOne(database, sql: "SELECT count(*) FROM throttle WHERE version > 0") ?? 0
        }
        #expect(changed > 80, "they were changed")
    }

    @Test func `the rows of an account are removed with it, and another registration stores them`() async throws {
        let account = try AccountName(userID: "alice", domain: "master")
        var expected: [String] = []
        for step in 0..<3 {
            try await withPlatform { platform in
                if step == 1 {
                    try await platform.unregister(account)
                } else {
                    _ = try await platform.register(.init(account: account))
                    // A further registration of a known account leaves them as they are.
                    _ = try await platform.register(.init(account: account))
                }
            }
            if step == 0 { expected = try keys() }
            #expect(try keys() == (step == 1 ? [] : expected))
        }
        #expect(expected.count == 3)
    }

    /// The second name marked the end in databases of an earlier version, which have fewer rows.
    @Test(arguments: ["unknown 16383", "unknown 16384"])
    func `a row of a late shared name does not keep the others from being stored`(name: String) async throws {
        try await withPlatform { _ in }
        let queue = try DatabaseQueue(path: path)
        try await queue.write {
            try $0.execute(
                sql: """
                    INSERT INTO throttle (account, kind, source, consecutive, total, level, level_since, unreported,
                        used_at, version)
                    VALUES (?, 'code', '', 0, 0, 0, 0, 0, 0, 0)
                    """,
                arguments: [name])
        }
        try queue.close()
        try await prepare()
        let others = name == "unknown 16384" ? 1 : 0
        #expect(try keys().count == 2 * (16_384 + 1) + 16_384 + others)
    }

    @Test func `the rows of the shared names are stored where a crash has left some of them out`() async throws {
        try await prepare()
        let before = try keys()
        let queue = try DatabaseQueue(path: path)
        try await queue.write { try $0.execute(sql: "DELETE FROM throttle WHERE account > 'unknown 15000'") }
        try queue.close()
        #expect(try keys().count < before.count)
        try await prepare()
        #expect(try keys() == before)
    }
}
