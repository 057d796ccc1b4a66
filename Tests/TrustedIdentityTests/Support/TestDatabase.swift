import Foundation
import TestSupport

@testable import TrustedIdentity

#if PostgreSQL
    import TrustedIdentityPostgreSQL
#endif

/// The databases of tests of the platform: in memory, or with `TEST_DATABASE=file` in the environment, in a file, or with
/// `TEST_DATABASE=postgresql`, on a server that the process of the tests starts.
enum TestDatabase {
    /// The number of rounds of a test with many tasks at once: 1, or `RACE_ROUNDS` of the environment.
    static var raceRounds: Int { ProcessInfo.processInfo.environment["RACE_ROUNDS"].flatMap { Int($0) } ?? 1 }

    /// Creates an empty database, and the folder that has to live as long.
    static func make() async throws -> (any SQLDatabase, TemporaryFolder?) {
        switch ProcessInfo.processInfo.environment["TEST_DATABASE"] {
        case "file":
            let folder = try TemporaryFolder()
            return (try await SQLiteDatabase(path: folder.file("platform.sqlite")), folder)
        #if PostgreSQL
            case "postgresql": return (try await ServerDatabase(), nil)
        #endif
        case nil, "memory": return (SQLiteDatabase.inMemory(), nil)
        case let name: preconditionFailure("TEST_DATABASE=\(name ?? "") is not known, or its trait is off")
        }
    }
}

#if PostgreSQL
    /// A new database on the server that all tests share. It is closed with the last reference to it, such as that of a
    /// platform, and removed with the last one that is open.
    final class ServerDatabase: SQLDatabase {
        private let base: PostgreSQLDatabase
        private let place: Place
        private let isolation: String
        private let numbersAtOnce: Bool

        /// Creates a database.
        ///
        /// - Parameters:
        ///   - isolation: The isolation of writes. Another one than the platform's shows what it is for.
        ///   - numbersAtOnce: Whether each write gives numbers to entries and events, as the maintenance does later.
        convenience init(isolation: String = "SERIALIZABLE", numbersAtOnce: Bool = false) async throws {
            try await self.init(Place(PostgreSQLCluster.shared().makeDatabase()), isolation, numbersAtOnce)
        }

        /// Opens the database once more, as another process does.
        func another() async throws -> ServerDatabase { try await ServerDatabase(place, isolation, numbersAtOnce) }

        private init(_ place: Place, _ isolation: String, _ numbersAtOnce: Bool) async throws {
            self.place = place
            self.isolation = isolation
            self.numbersAtOnce = numbersAtOnce
            // The tests that run at the same time share the connections of the server.
            base = try await PostgreSQLDatabase(
                PostgreSQLAddress(place.database.uri), connections: 4, schema: .latest, isolation: isolation)
        }

        deinit {
            Task { [base, place] in
                await base.close()
                withExtendedLifetime(place) {}
            }
        }

        var dialect: SQLDialect { base.dialect }
        var peers: (any DatabasePeers)? { base.peers }

        func read<R: Sendable>(_ body: @escaping @Sendable (any SQLSession) throws -> R) async throws -> R {
            try await base.read(body)
        }

        func write<R: Sendable>(_ body: @escaping @Sendable (any SQLSession) throws -> R) async throws -> R {
            let result = try await base.write(body)
            if numbersAtOnce {
                try await base.write { (store: StoreTransaction) in
                    _ = try store.numberArrivals(limit: .max)
                    _ = try store.numberEvents(limit: .max)
                }
            }
            return result
        }

        func health() async throws -> StoreHealth { try await base.health() }
        func maintain() async throws { try await base.maintain() }

        private final class Place: Sendable {
            let database: PostgreSQLCluster.Database

            init(_ database: PostgreSQLCluster.Database) { self.database = database }

            deinit { try? database.remove() }
        }
    }
#endif
