internal import Primitives

/// A transaction of a ``Store``: reads, and writes that take effect together.
///
/// There are three forms of write, each of them one statement:
/// - `insert` stores a new row. It returns false and changes nothing when there is a row with its key.
/// - `update` is the compare-and-set of a ``VersionedRecord``: it replaces the row with the same key **if and only if**
///   the stored `version` still equals the record's `version`, and stores the record with `version + 1`. It returns
///   false and changes nothing when the row is gone or has another version. Code that decided on a row that changed
///   meanwhile has to decide again.
/// - `remove` deletes a row. A row that does not exist is no error.
///
/// A transaction sees its own writes. Each method throws ``StoreError`` when the database fails.
package struct StoreTransaction: StoreReader {
    package let session: any SQLSession
    package internal(set) var check: RowCheck
    /// The source of the ids of entries of the audit log and of events; nil for a store that keeps its callers' ids.
    let random: (any RandomSource)?
    /// The origin of what the transaction writes to the audit log.
    let origin: AuditOrigin
    /// The events that the transaction records; nil for a platform that records none.
    let outbox: EventOutbox.Write?

    /// Returns the same transaction with other keys of rows.
    func checking(_ authenticator: RowAuthenticator) -> StoreTransaction {
        var transaction = self
        transaction.check.authenticator = authenticator
        return transaction
    }

    /// Runs a statement.
    ///
    /// - Returns: The number of rows that it changed.
    @discardableResult
    func run(_ sql: String, _ values: Parameters = []) throws -> Int {
        try session.run(sql, values.values) { _ in }
    }

    /// Inserts a row.
    ///
    /// - Returns: Whether there was none with its key.
    func insertRow<Record: StoredRecord>(_ record: Record) throws -> Bool {
        try write(Record.table.insert, insertValues(record)) == 1
    }

    /// Inserts a row, or replaces the one with its key.
    func replaceRow<Record: StoredRecord>(_ record: Record) throws {
        _ = try write(Record.table.replace, insertValues(record))
    }

    /// Inserts a row.
    ///
    /// - Returns: Whether there was none with its key.
    func insert<Record: StoredRecord & VersionedRecord>(_ record: Record) throws -> Bool { try insertRow(record) }

    /// Replaces a row in one statement if its version still is the record's, and counts the version up. This statement
    /// is what makes a challenge and an unlock code single-use, and one answer to an approval request count.
    ///
    /// - Returns: Whether it was.
    func update<Record: StoredRecord & VersionedRecord>(_ record: Record) throws -> Bool {
        let table = Record.table
        var next = record
        // A version that another program has made the largest one wraps here; the database refuses the update.
        next.version &+= 1
        let values = table.compareAndSetValues(record, next: next) { check.code(ofRow: $0, in: table.name) }
        return try write(table.compareAndSet, values) == 1
    }

    private func insertValues<Record: StoredRecord>(_ record: Record) -> [SQLValue] {
        Record.table.insertValues(record) { check.code(ofRow: $0, in: Record.table.name) }
    }

    private func write(_ sql: String, _ values: [SQLValue]) throws -> Int { try session.run(sql, values) { _ in } }
}

/// A record that counts its updates. A store replaces it by compare-and-set.
package protocol VersionedRecord: Sendable {
    /// The number of updates, 0 in a new row. A store compares it and counts it up; other code leaves it alone.
    var version: Int64 { get set }
}
