import OrchestrationTesting
import Primitives
import TestSupport
import Testing

@testable import TrustedIdentity

/// Many logins with one code at the same time.
@Suite struct LoginRaceTests {
    static let count = 256

    /// Logs in with one code in tasks of this process. Returns how often the code was accepted.
    private func accepted(on store: any SQLDatabase) async throws -> Int {
        let harness = try await Harness(on: store)
        let device = try await harness.activate()
        let code = try device.code(at: harness.time.now())
        let request = try LoginRequest(account: Harness.account(), credential: .oneTimePassword(code))
        return try await withThrowingTaskGroup(of: Bool.self) { group in
            for _ in 0..<Self.count {
                group.addTask { [platform = harness.platform] in
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
}
