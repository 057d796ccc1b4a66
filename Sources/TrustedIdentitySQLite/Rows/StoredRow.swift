internal import GRDB
internal import TrustedIdentity

/// A selected row. A column that holds something else than the schema says is an error, never a trap: the file may be
/// damaged.
struct StoredRow {
    private let row: Row
    private let positions: [String: Int]

    /// Creates a row of a table.
    ///
    /// - Parameters:
    ///   - row: The row; it is valid until the next one is read.
    ///   - positions: The position of each column.
    init(_ row: Row, positions: [String: Int]) {
        self.row = row
        self.positions = positions
    }

    /// The value of a column.
    ///
    /// - Throws: `PlatformStoreError` with `corrupt` when the column holds something else, `other` when the row has no
    ///   such column.
    subscript<Value: ColumnValue>(_ column: String) -> Value {
        get throws {
            guard let position = positions[column], position < row.count else { throw PlatformStoreError(.other) }
            guard let value = Value(stored: row[position]) else { throw PlatformStoreError(.corrupt) }
            return value
        }
    }
}
