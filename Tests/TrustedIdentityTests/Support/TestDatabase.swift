import Foundation
import TestSupport
import TrustedIdentity

/// The databases of tests of the platform: in memory, or with `TEST_DATABASE=file` in the environment, in a file.
enum TestDatabase {
    /// The number of rounds of a test with many tasks at once: 1, or `RACE_ROUNDS` of the environment.
    static var raceRounds: Int { ProcessInfo.processInfo.environment["RACE_ROUNDS"].flatMap { Int($0) } ?? 1 }

    /// Creates an empty database, and the folder that has to live as long.
    static func make() async throws -> (SQLiteDatabase, TemporaryFolder?) {
        guard ProcessInfo.processInfo.environment["TEST_DATABASE"] == "file" else { return (.inMemory(), nil) }
        let folder = try TemporaryFolder()
        return (try await SQLiteDatabase(path: folder.file("platform.sqlite")), folder)
    }
}
