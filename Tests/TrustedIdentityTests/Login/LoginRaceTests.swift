import OrchestrationTesting
import Primitives
import TestSupport
import Testing

@testable import TrustedIdentity

/// Many logins with one code at the same time.
@Suite struct LoginRaceTests {
    static let count = 256

    /// Logs in with one code in tasks of this process. Returns how often the code was accepted.
    ///
    /// - Parameter other: The same database as another process has it; `nil` for one platform.
    private func accepted(on store: any SQLDatabase, and other: (any SQLDatabase)? = nil) async throws -> Int {
        let harness = try await Harness(on: store)
        let device = try await harness.activate()
        // The first code inserts a counter, and later ones update it.
        #expect(try await harness.login(device.code(at: harness.time.now())).status == .accepted)
        harness.time.advance(seconds: 30)
        let code = try device.code(at: harness.time.now())
        let request = try LoginRequest(account: Harness.account(), credential: .oneTimePassword(code))
        var platforms = [harness.platform]
        if let other { platforms.append(try await harness.platform(on: other)) }
        return try await withThrowingTaskGroup(of: Bool.self) { group in
            for number in 0..<Self.count {
                group.addTask { [platform = platforms[number % platforms.count]] in
                    // The last refusals find the account blocked.
                    (try? await platform.login(request).status) == .accepted
                }
            }
            return try await group.reduce(0) { $0 + ($1 ? 1 : 0) }
        }
    }

    @Test(arguments: [false, true]) func `of 256 uses of one code at once, one is accepted`(isFile: Bool) async throws {
        for _ in 0..<TestDatabase.raceRounds {
            let folder = try TemporaryFolder()
            let store = isFile ? try await SQLiteDatabase(path: folder.file("platform.sqlite")) : .inMemory()
            #expect(try await accepted(on: store) == 1)
            try await store.close()
        }
    }

    @Test func `a store whose last write wins accepts a code several times`() async throws {
        #expect(try await accepted(on: LastWriteStore()) > 1)
    }

    #if PostgreSQL
        @Test(.enabled(if: PostgreSQLCluster.isInstalled, "PostgreSQL is not installed: apt-get install postgresql"))
        func `of 256 uses of one code at once through two processes, one is accepted`() async throws {
            for _ in 0..<TestDatabase.raceRounds {
                let store = try await ServerDatabase()
                let other = try await store.another()
                #expect(try await accepted(on: store, and: other) == 1)
            }
        }

        @Test(.enabled(if: PostgreSQLCluster.isInstalled, "PostgreSQL is not installed: apt-get install postgresql"))
        func `a store whose updates compare nothing and lock nothing accepts a code several times`() async throws {
            let store = try await ServerDatabase(isolation: "READ COMMITTED")
            let other = try await store.another()
            #expect(
                try await accepted(on: UnconditionalDatabase(base: store), and: UnconditionalDatabase(base: other)) > 1)
        }
    #endif
}
