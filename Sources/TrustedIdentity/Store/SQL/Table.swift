/// A record of the domain that is a row of a table.
protocol StoredRecord: Sendable {
    /// The table, with the name of each column and the value that it holds.
    static var table: Table<Self> { get }

    /// Reads a row.
    ///
    /// - Throws: `PlatformStoreError` with `corrupt` when a column holds what the record cannot hold.
    init(row: StoredRow) throws
}

/// A table: its columns by name, and the statements that follow from them.
struct Table<Record>: Sendable {
    /// The name of a column and the value of a record that it holds.
    struct Column: Sendable {
        fileprivate let name: String
        fileprivate let value: @Sendable (Record) -> StoredValue

        init(_ name: String, _ value: @escaping @Sendable (Record) -> some ColumnValue) {
            self.name = name
            self.value = { value($0).stored }
        }
    }

    /// Selects all columns; a condition may follow.
    let select: String
    /// Inserts a row unless there is one with its key. A violated check is an error all the same.
    let insert: String
    /// Inserts a row in the place of the one with its key.
    let replace: String
    /// Replaces a row if its version still is the record's, and counts the version up. For versioned records only.
    let compareAndSet: String
    /// The position of each column in a selected row.
    let positions: [String: Int]

    private let key: [Column]
    /// The columns that are neither part of the key nor the version.
    private let others: [Column]
    private let version: [Column]

    private init(_ name: String, key: [Column], others: [Column], version: [Column]) {
        let names = (key + others + version).map(\.name)
        let keyNames = key.map(\.name)
        let values =
            "\(name) (\(names.joined(separator: ", "))) VALUES (\(names.map { _ in "?" }.joined(separator: ", ")))"
        let changes = others.map { "\($0.name) = ?" } + ["version = version + 1"]
        let conditions = keyNames.map { "\($0) = ?" } + ["version = ?"]
        select = "SELECT \(names.joined(separator: ", ")) FROM \(name)"
        insert = "INSERT INTO \(values) ON CONFLICT (\(keyNames.joined(separator: ", "))) DO NOTHING"
        replace = "INSERT OR REPLACE INTO \(values)"
        compareAndSet =
            "UPDATE \(name) SET \(changes.joined(separator: ", ")) WHERE \(conditions.joined(separator: " AND "))"
        positions = Dictionary(uniqueKeysWithValues: names.enumerated().map { ($1, $0) })
        self.key = key
        self.others = others
        self.version = version
    }

    /// The arguments of ``insert`` and ``replace``.
    func insertArguments(_ record: Record) -> [StoredValue] {
        (key + others + version).map { $0.value(record) }
    }

    /// The arguments of ``compareAndSet``.
    func compareAndSetArguments(_ record: Record) -> [StoredValue] {
        (others + key + version).map { $0.value(record) }
    }
}

extension Table {
    /// Creates the table of a record without a version.
    ///
    /// - Parameters:
    ///   - name: The name of the table.
    ///   - key: The columns of the primary key.
    ///   - columns: The other columns, in any order.
    init(_ name: String, key: [Column], columns: [Column]) {
        self.init(name, key: key, others: columns, version: [])
    }
}

extension Table where Record: VersionedRecord {
    /// Creates the table of a versioned record. The column `version` is added.
    ///
    /// - Parameters:
    ///   - name: The name of the table.
    ///   - key: The columns of the primary key.
    ///   - columns: The other columns but the version, in any order.
    init(versioned name: String, key: [Column], columns: [Column]) {
        self.init(name, key: key, others: columns, version: [Column("version", \.version)])
    }
}
