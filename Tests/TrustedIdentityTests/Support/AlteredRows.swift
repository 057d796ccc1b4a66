import Primitives
import Testing

@testable import TrustedIdentity

extension StoreTransaction {
    /// Returns the same transaction with the HMACs of an open platform.
    func checked(by check: RowCheck) -> StoreTransaction {
        StoreTransaction(
            session: session, check: check, random: SystemRandomSource(), origin: .platform, outbox: nil)
    }
}

/// What a writer to the database does without the keys of the platform.
extension StoreTransaction {
    /// Changes the columns of a row, its version among them, and leaves its HMAC.
    func alter<Record: StoredRecord>(_ record: Record) throws {
        let kept = try keptRow(record)
        try session.run(Record.table.replace, Record.table.insertValues(record) { _ in kept.code }) { _ in }
    }

    /// Returns a row with its HMAC as it is now.
    func keptRow<Record: StoredRecord>(_ record: Record) throws -> KeptRow<Record> {
        let table = Record.table
        let key = try #require(table.positions.first { $0.value == 0 }?.key)
        var values: [SQLValue]?
        try session.run("\(table.select) WHERE \(key) = $1", [table.insertValues(record) { _ in .null }[0]]) { row in
            values = (0..<table.positions.count + (table.isAuthenticated ? 1 : 0)).map(row.value)
        }
        return KeptRow(values: try #require(values))
    }

    /// Puts a row instead of another one, with the HMAC of a third one.
    func putBack<Record: StoredRecord>(_ row: KeptRow<Record>, as record: Record) throws {
        try session.run(Record.table.replace, Record.table.insertValues(record) { _ in row.code }) { _ in }
    }

    /// Puts a row of an earlier time instead of the current one, or where it was.
    func putBack<Record>(_ row: KeptRow<Record>) throws {
        try session.run(Record.table.replace, row.values) { _ in }
    }
}

/// A row with its HMAC, as it was at one time.
struct KeptRow<Record: StoredRecord>: Sendable {
    fileprivate let values: [SQLValue]
    /// The last column of a table whose rows have HMACs.
    fileprivate var code: SQLValue { values[Record.table.positions.count] }
}
