/// A selected row whose columns are read by their positions. Otherwise as ``StoredRow``.
struct PositionedRow {
    private let statement: PreparedStatement

    /// Creates a row.
    ///
    /// - Parameter statement: The statement that stands at the row.
    init(_ statement: PreparedStatement) { self.statement = statement }

    /// The value of a column.
    ///
    /// - Throws: `PlatformStoreError` with `corrupt` when the column holds something else.
    subscript<Value: ColumnValue>(_ position: Int) -> Value {
        get throws {
            guard let value = Value(stored: statement.value(position)) else { throw PlatformStoreError(.corrupt) }
            return value
        }
    }
}

/// A selected row. A column that holds something else than the schema says is an error, never a trap: the file may be
/// damaged.
struct StoredRow {
    private let statement: PreparedStatement
    private let positions: [String: Int]

    /// Creates a row of a table.
    ///
    /// - Parameters:
    ///   - statement: The statement that stands at the row.
    ///   - positions: The position of each column.
    init(_ statement: PreparedStatement, positions: [String: Int]) {
        self.statement = statement
        self.positions = positions
    }

    /// The value of a column.
    ///
    /// - Throws: `PlatformStoreError` with `corrupt` when the column holds something else, `other` when the row has no
    ///   such column.
    subscript<Value: ColumnValue>(_ column: String) -> Value {
        get throws {
            guard let position = positions[column], position < statement.columnCount else {
                throw PlatformStoreError(.other)
            }
            guard let value = Value(stored: statement.value(position)) else { throw PlatformStoreError(.corrupt) }
            return value
        }
    }
}
