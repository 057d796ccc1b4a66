internal import Logging
internal import Primitives

/// The rows of a platform, by noun, in a SQL database.
///
/// A transaction makes the HMAC of each row of a table that has them, and a read verifies the HMAC of each row that it
/// returns. A failure of the database is logged and becomes ``PlatformError`` with `storeFailed`. Errors that closures of
/// the platform throw pass unchanged. Every other error is one of the database.
struct Store: Sendable {
    let database: any SQLDatabase
    let logger: Logger
    /// nil before the keys of the store are known.
    private(set) var authenticator: RowAuthenticator?
    /// The source of the ids of entries of the audit log; nil for a store that keeps its callers' ids.
    private var random: (any RandomSource)?
    /// The outbox of events; nil for a platform that records none.
    private(set) var outbox: EventOutbox?
    /// The origin of what transactions write to the audit log.
    var origin = AuditOrigin.platform
    private let shed: ShedWrites

    /// Creates a store that neither makes nor verifies HMACs.
    init(
        _ database: any SQLDatabase, time: any TimeSource = SystemTimeSource(),
        logger: Logger = Logger(label: "trusted-identity") { _ in SwiftLogNoOpLogHandler() }
    ) {
        self.database = database
        self.logger = logger
        shed = ShedWrites(time: time, logger: logger)
    }

    /// Returns the store of an open platform.
    ///
    /// - Parameters:
    ///   - authenticator: The HMACs of rows.
    ///   - random: The source of the ids of entries of the audit log.
    ///   - outbox: The outbox of events; nil for a platform that records none.
    func opened(
        _ authenticator: RowAuthenticator, random: any RandomSource, outbox: EventOutbox?
    ) -> Store {
        var store = self
        store.authenticator = authenticator
        store.random = random
        store.outbox = outbox
        return store
    }

    /// The same store without verification of its rows.
    var unchecked: Store {
        var store = self
        store.authenticator = nil
        return store
    }

    /// Returns the same store for another actor, with the correlation id and the address of the origin.
    func acting(as actor: AuditActor) -> Store {
        var store = self
        store.origin.actor = actor
        return store
    }

    /// Reads in one consistent state. Otherwise as ``SQLDatabase/read(_:)``.
    func read<R: Sendable>(_ body: @escaping @Sendable (any StoreReader) throws -> R) async throws -> R {
        let check = check
        return try await mappingFailures {
            try await database.read { try body(StoreSnapshot(session: $0, check: check)) }
        }
    }

    /// Reads and writes in one transaction. Otherwise as ``SQLDatabase/write(_:)``.
    func write<R: Sendable>(_ body: @escaping @Sendable (StoreTransaction) throws -> R) async throws -> R {
        let (check, random, origin) = (check, random, origin)
        let events = outbox.map { EventOutbox.Write($0) }
        let result = try await mappingFailures {
            try await database.write { session in
                events?.begin()
                return try body(
                    StoreTransaction(
                        session: session, check: check, random: random, origin: origin, outbox: events))
            }
        }
        events?.end()
        return result
    }

    func health() async throws -> StoreHealth { try await database.health() }
    func maintain() async throws { try await mappingFailures { try await database.maintain() } }

    /// The check of rows for the current task, whose correlation id it keeps: closures run outside of the task.
    var check: RowCheck {
        RowCheck(
            authenticator: authenticator, logger: logger, correlation: Logger.current[metadataKey: "correlation.id"])
    }

    /// Calls the database, and logs its failure.
    ///
    /// - Throws: ``PlatformError`` with `storeFailed`, and the errors of the platform.
    private func mappingFailures<R>(_ body: () async throws -> R) async throws -> R {
        do {
            return try await body()
        } catch let error where !error.isOfPlatform {
            guard (error as? StoreError)?.code == .overloaded else {
                throw PlatformError.storeFailed(error, logger: logger)
            }
            shed.add()
            throw PlatformError(.storeFailed, underlying: error)
        }
    }
}

extension SQLDatabase {
    /// Reads rows without verification of their HMACs: before the keys are known, and in tests and benchmarks.
    package func read<R: Sendable>(_ body: @escaping @Sendable (any StoreReader) throws -> R) async throws -> R {
        try await read { (session: any SQLSession) in try body(StoreSnapshot(session: session, check: .none)) }
    }

    /// Reads and writes rows without HMACs, in tests and benchmarks.
    package func write<R: Sendable>(_ body: @escaping @Sendable (StoreTransaction) throws -> R) async throws -> R {
        try await write { (session: any SQLSession) in
            try body(
                StoreTransaction(session: session, check: .none, random: nil, origin: .platform, outbox: nil))
        }
    }
}
