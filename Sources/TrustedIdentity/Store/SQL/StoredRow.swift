/// A selected row whose columns are read by their positions. A column that holds something else than the schema says is
/// an error, never a trap: the file may be damaged.
struct PositionedRow {
    private let row: any SQLRow

    init(_ row: any SQLRow) { self.row = row }

    /// The value of a column.
    ///
    /// - Throws: ``StoreError`` with `corrupt` when the column holds something else.
    subscript<Value: ColumnValue>(_ position: Int) -> Value {
        get throws {
            guard let value = Value(stored: row.value(position)) else { throw StoreError(.corrupt) }
            return value
        }
    }
}

/// A selected row of a table. Otherwise as ``PositionedRow``.
struct StoredRow {
    private let row: PositionedRow
    private let positions: [String: Int]

    /// Creates a row of a table.
    ///
    /// - Parameters:
    ///   - row: The row.
    ///   - positions: The position of each column.
    init(_ row: any SQLRow, positions: [String: Int]) {
        self.row = PositionedRow(row)
        self.positions = positions
    }

    /// The value of a column.
    ///
    /// - Throws: ``StoreError`` with `corrupt` when the column holds something else, `other` when the table has no such
    ///   column.
    subscript<Value: ColumnValue>(_ column: String) -> Value {
        get throws {
            guard let position = positions[column] else { throw StoreError(.other) }
            return try row[position]
        }
    }
}
