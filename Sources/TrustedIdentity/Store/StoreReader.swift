internal import Primitives

/// One consistent state of a ``Store``, for reading. The queries are beside the columns of their tables, in `Rows`.
///
/// A single row without its HMAC is an error. In a list it is left out: it gives no right, just as if it had been
/// deleted. Both are logged.
package protocol StoreReader {
    var session: any SQLSession { get }
    var check: RowCheck { get }
}

/// A transaction that only reads.
struct StoreSnapshot: StoreReader {
    package let session: any SQLSession
    package let check: RowCheck
}

extension StoreReader {
    /// Returns the records that a condition selects, in the order that it names.
    ///
    /// - Parameters:
    ///   - condition: The text after the columns and the table.
    ///   - values: The values of its parameters.
    ///   - refusing: Whether a row without its HMAC ends the read.
    /// - Throws: ``PlatformError`` with `alteredRow`.
    func records<Record: StoredRecord>(
        _ condition: String = "", _ values: Parameters = [], refusing: Bool = false
    ) throws -> [Record] {
        let found: [Record?] = try selected(condition, values)
        return try found.compactMap { record in
            if let record { return record }
            check.reportRow(of: Record.table.name)
            if refusing { throw PlatformError(.alteredRow) }
            return nil
        }
    }

    /// Returns the record that a condition selects.
    ///
    /// - Throws: ``PlatformError`` with `alteredRow`.
    func record<Record: StoredRecord>(_ condition: String = "", _ values: Parameters = []) throws -> Record? {
        let found: [Record] = try records(condition, values, refusing: true)
        return found.first
    }

    /// Returns the next page of records that has one with its HMAC: an empty page would end a walk over all rows.
    ///
    /// - Parameters:
    ///   - column: The column of the key, the first one of the table.
    ///   - key: The key before the first record.
    ///   - limit: The maximum number of records.
    func page<Record: StoredRecord, Key: ColumnValue>(
        by column: String, after key: Key, limit: Int
    ) throws -> [Record] {
        var key = key
        while true {
            var last: Key?
            let found: [Record?] = try selected(
                "WHERE \(column) > $1 ORDER BY \(column) LIMIT $2", [key, max(0, limit)]
            ) { last = try PositionedRow($0)[0] }
            for record in found where record == nil { check.reportRow(of: Record.table.name) }
            let authentic = found.compactMap(\.self)
            guard authentic.isEmpty, let last else { return authentic }
            key = last
        }
    }

    /// Returns the first records that have their HMAC.
    ///
    /// Rows that fail stay in the store. A sweep ends when it gets fewer rows than it asks for. So a batch of such rows
    /// would keep it from the others. Logins wait for the transaction of a sweep. The number of rows that it
    /// reads therefore has a bound: after 64 times the limit of altered rows, the sweep ends without the others.
    ///
    /// - Parameters:
    ///   - limit: The maximum number of records to return, and the maximum number of rows that fail to log.
    ///   - condition: The condition and the order. A limit follows.
    ///   - time: The value of its parameter.
    func first<Record: StoredRecord>(_ limit: Int, _ condition: String, _ time: Timestamp) throws -> [Record] {
        let limit = max(0, limit)
        var count = limit
        while true {
            let rows: [Record?] = try selected("\(condition) LIMIT $2", [time, count])
            let found = Array(rows.compactMap(\.self).prefix(limit))
            if found.count == limit || rows.count < count || count >= 64 * limit {
                // The last batch of a sweep has fewer rows, and logs the altered ones.
                if found.count < limit {
                    for _ in 0..<min(limit, rows.count - found.count) { check.reportRow(of: Record.table.name) }
                }
                return found
            }
            count *= 2
        }
    }

    /// Returns the first column of the first row.
    func value<Value: ColumnValue>(_ sql: String, _ values: Parameters = []) throws -> Value? {
        let found: [Value] = try self.values(sql, values)
        return found.first
    }

    /// Returns the first column of each row.
    func values<Value: ColumnValue>(_ sql: String, _ values: Parameters = []) throws -> [Value] {
        try rows(sql, values) { row in try PositionedRow(row)[0] }
    }

    /// Returns what a closure reads in each row.
    func rows<R>(_ sql: String, _ values: Parameters, _ read: (any SQLRow) throws -> R) throws -> [R] {
        var result: [R] = []
        try session.run(sql, values.values) { row in result.append(try read(row)) }
        return result
    }

    /// Returns the records that a condition selects; nil for a row without its HMAC, whose columns may hold anything.
    private func selected<Record: StoredRecord>(
        _ condition: String, _ values: Parameters, _ read: (any SQLRow) throws -> Void = { _ in }
    ) throws -> [Record?] {
        let table = Record.table
        return try rows("\(table.select) \(condition)", values) { row in
            try read(row)
            guard check.isAuthentic(row, of: table) else { return nil }
            return try Record(row: StoredRow(row, positions: table.positions))
        }
    }
}
