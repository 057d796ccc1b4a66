internal import Logging
internal import Primitives

/// The store of a platform, whose rows of accounts, devices, API keys, keys of the platform and the platform itself are
/// authenticated.
///
/// A transaction makes the HMAC of each row that it writes, and a read verifies that of each row that it returns. The
/// number of statements is that of the store below.
struct AuthenticatedStore: PlatformStore {
    let base: LoggedStore
    let authenticator: RowAuthenticator
    /// The source of the ids of entries of the audit log.
    let random: any RandomSource
    /// The outbox of events; nil for a platform that records none.
    var outbox: EventOutbox?
    /// The origin of what transactions write to the audit log.
    var origin = AuditOrigin.platform

    /// Returns the same store for another actor, with the correlation id and the address of the origin.
    func acting(as actor: AuditActor) -> AuthenticatedStore {
        var store = self
        store.origin.actor = actor
        return store
    }

    func read<R: Sendable>(_ body: @escaping @Sendable (any StoreReader) throws -> R) async throws -> R {
        let rows = rows
        return try await base.read { try body(AuthenticatedReader(base: $0, rows: rows)) }
    }

    func write<R: Sendable>(_ body: @escaping @Sendable (any StoreTransaction) throws -> R) async throws -> R {
        let (rows, random, origin) = (rows, random, origin)
        guard let outbox else {
            return try await base.write {
                try body(AuthenticatedTransaction(transaction: $0, rows: rows, random: random, origin: origin))
            }
        }
        let events = EventOutbox.Write(outbox)
        let result = try await base.write {
            events.begin()
            return try body(
                AuthenticatedTransaction(
                    transaction: $0, rows: rows, random: random, origin: origin, outbox: events))
        }
        events.end()
        return result
    }

    func health() async throws -> StoreHealth { try await base.health() }
    func maintain() async throws { try await base.maintain() }

    /// The check of rows for the present task, whose correlation id it keeps: closures run outside of the task.
    var rows: RowCheck {
        RowCheck(
            authenticator: authenticator, logger: base.logger,
            correlation: Logger.current[metadataKey: "correlation.id"])
    }
}

/// The check of rows that were read. A row that fails was changed by another program, and is logged.
struct RowCheck: Sendable {
    let authenticator: RowAuthenticator
    let logger: Logger
    let correlation: Logger.MetadataValue?

    /// Returns a row that has its HMAC.
    ///
    /// - Throws: ``PlatformError`` with `alteredRow`.
    func verified<Row: AuthenticatedRecord>(_ record: Row?) throws -> Row? {
        guard let record else { return nil }
        guard authenticator.isAuthentic(record) else {
            report(record)
            throw PlatformError(.alteredRow)
        }
        return record
    }

    /// Returns the rows that have their HMAC. A row that fails gives no right, just as if it had been deleted.
    func authentic<Row: AuthenticatedRecord>(_ records: [Row]) -> [Row] {
        records.filter { record in
            if authenticator.isAuthentic(record) { return true }
            report(record)
            return false
        }
    }

    /// Returns the first rows that have their HMAC.
    ///
    /// Rows that fail stay in the store. A sweep ends when it gets fewer rows than it asks for. So a batch of such rows
    /// would keep it from the others. Logins wait for the transaction of a sweep, so that the number of rows that it
    /// reads has a bound: after 64 times the limit of altered rows, the sweep ends without the others.
    ///
    /// - Parameters:
    ///   - limit: The most rows to return, and the most rows that fail to log.
    ///   - read: A closure that returns the first rows, up to a number of them.
    func firstAuthentic<Row: AuthenticatedRecord>(_ limit: Int, _ read: (Int) throws -> [Row]) rethrows -> [Row] {
        let limit = max(0, limit)
        var count = limit
        while true {
            let rows = try read(count)
            var (found, altered): ([Row], [Row]) = ([], [])
            for row in rows where found.count < limit {
                if authenticator.isAuthentic(row) { found.append(row) } else { altered.append(row) }
            }
            if found.count == limit || rows.count < count || count >= 64 * limit {
                // The last batch of a sweep has fewer rows, and logs the altered ones.
                if found.count < limit { for row in altered.prefix(limit) { report(row) } }
                return found
            }
            count *= 2
        }
    }

    private func report<Row: AuthenticatedRecord>(_ record: Row) { reportRow(of: Row.tableName) }

    /// Logs that a row was changed.
    func reportRow(of table: String) {
        var metadata: Logger.Metadata = ["row.table": "\(table)"]
        metadata["correlation.id"] = correlation
        logger.error("a row was changed outside of the platform", metadata: metadata)
    }
}

/// Reads a row for a decision that treats an altered row as one that does not exist. The alteration was logged.
func ifUnaltered<Row>(_ read: () throws -> Row?) throws -> Row? {
    do {
        return try read()
    } catch let error as PlatformError where error.code == .alteredRow {
        return nil
    }
}
