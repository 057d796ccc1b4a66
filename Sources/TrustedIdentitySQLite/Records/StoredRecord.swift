/// A record of the domain as a row.
protocol StoredRecord {
    static var table: Table { get }

    /// The values of the key's columns.
    var keyValues: [Value?] { get }

    /// The values of the other columns, in the order of the table; a version comes last.
    var otherValues: [Value?] { get }

    /// Reads the columns in the order of the table.
    init(_ columns: inout Columns) throws
}

/// A record that counts its updates, so that it can be changed by compare-and-set.
protocol VersionedRecord: StoredRecord {}
