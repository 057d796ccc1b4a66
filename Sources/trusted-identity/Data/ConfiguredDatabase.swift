internal import CommandLine
internal import Logging
internal import TrustedIdentity
internal import TrustedIdentityServer

#if PostgreSQL
    internal import TrustedIdentityPostgreSQL
#endif

/// The database of an installation: SQLite in the data folder, or one on a PostgreSQL server that other processes
/// share.
///
/// A password behind a descriptor is read when this value is created, like the keys (``InstallationKeys``).
struct ConfiguredDatabase: Sendable {
    /// The purpose for which a process opens the database. With SQLite, only one process uses the database in each
    /// case.
    enum Purpose {
        /// To serve. The first start creates the platform.
        case serving
        /// To administer a platform, next to its servers.
        case administration
        /// To change data that servers keep in memory, while no server runs.
        case exclusiveAdministration
        /// To copy all rows into an empty database, while no server runs.
        case migration
    }

    /// The connections of a command of administration, which sends one request.
    private static let connectionsOfCommand = 4

    /// Whether the database is on a server.
    let isOnServer: Bool
    /// The host, the port and the name of a database on a server; empty for SQLite.
    let name: String

    #if PostgreSQL
        private let address: PostgreSQLAddress?
        private let connections: Int
    #endif

    /// Reads the password that the configuration names.
    ///
    /// - Throws: `ErrorReport` for a password that cannot be read, and for a URI that libpq refuses.
    init(_ configuration: InstallationConfiguration) throws(ErrorReport) {
        isOnServer = configuration.database != nil
        #if PostgreSQL
            connections = configuration.databaseConnections
            guard let uri = configuration.database else {
                address = nil
                name = ""
                return
            }
            var password: String?
            if let number = configuration.databasePassword {
                password = try ExternalKey.password(ofDescriptor: number, name: "password of the database")
            }
            do throws(DatabaseError) {
                let address = try PostgreSQLAddress(uri, password: password)
                self.address = address
                name = address.description
            } catch {
                throw ErrorReport(error)
            }
        #else
            name = ""
        #endif
    }

    /// Opens the database and closes it after the body.
    ///
    /// - Parameters:
    ///   - path: The path of the SQLite database. It is not used for a database on a server.
    ///   - purpose: The purpose, which decides about the access and the connections.
    ///   - limits: The limits of the requests that wait to be written.
    ///   - logger: The logger of a database on a server.
    ///   - body: Uses the database.
    /// - Throws: `DatabaseError`; the error of the body.
    func use<Result: Sendable>(
        orFile path: String, for purpose: Purpose, _ limits: WriterLimits, logger: Logger,
        _ body: (any SQLDatabase) async throws -> Result
    ) async throws -> Result {
        #if PostgreSQL
            if let address {
                // Two servers would replace each other's socket for administration.
                let lock = purpose == .serving ? try lockOfFolder(path) : nil
                defer { lock?.release() }
                return try await use(address, for: purpose, limits, logger: logger, body)
            }
        #endif
        let store = try await SQLiteDatabase(path: path, writerLimits: limits)
        do {
            let result = try await body(store)
            try await store.close()
            return result
        } catch {
            try? await store.close()
            throw error
        }
    }
}

#if PostgreSQL
    extension ConfiguredDatabase {
        /// Connects, and returns what the server reports about itself; nil for SQLite.
        func report() async throws(DatabaseError) -> PostgreSQLReport? {
            guard let address else { return nil }
            return try await PostgreSQLDatabase.report(on: address)
        }

        /// Takes the lock that a server on SQLite has.
        private func lockOfFolder(_ path: String) throws -> ProcessLock {
            do {
                return try ProcessLock(path: path + ".lock")
            } catch {
                guard error.code == .inUse else { throw error }
                throw ErrorReport(
                    .inUse, "another server uses the data folder",
                    hint: "name a separate folder for each server with --data")
            }
        }

        private func use<Result: Sendable>(
            _ address: PostgreSQLAddress, for purpose: Purpose, _ limits: WriterLimits, logger: Logger,
            _ body: (any SQLDatabase) async throws -> Result
        ) async throws -> Result {
            let store = try await PostgreSQLDatabase(
                address, connections: purpose == .serving ? connections : Self.connectionsOfCommand,
                access: [.exclusiveAdministration, .migration].contains(purpose) ? .exclusive : .shared,
                writerLimits: limits, logger: logger, schema: purpose.schema)
            do {
                let result = try await body(store)
                await store.close()
                return result
            } catch {
                await store.close()
                throw error
            }
        }
    }

    extension ConfiguredDatabase.Purpose {
        /// The schema that the purpose needs. A command with a wrong database name must not leave tables there, and a
        /// command of a newer version must not change the tables of the running servers.
        fileprivate var schema: PostgreSQLSchema.Requirement {
            switch self {
            case .serving: .latest
            case .administration, .exclusiveAdministration: .existing
            case .migration: .migration
            }
        }
    }
#endif
