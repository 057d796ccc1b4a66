internal import Primitives

/// A record of the domain that is a row of a table.
protocol StoredRecord: Sendable {
    /// The table, with the name of each column and the value that it holds.
    static var table: Table<Self> { get }

    /// Reads a row.
    ///
    /// - Throws: ``StoreError`` with `corrupt` when a column holds what the record cannot hold.
    init(row: StoredRow) throws
}

/// A table: its columns by name, and the statements that follow from them.
struct Table<Record>: Sendable {
    /// The name of a column and the value of a record that it holds.
    struct Column: Sendable {
        fileprivate let name: String
        fileprivate let value: @Sendable (Record) -> SQLValue

        init(_ name: String, _ value: @escaping @Sendable (Record) -> some ColumnValue) {
            self.name = name
            self.value = { value($0).stored }
        }
    }

    let name: String
    /// Whether each row has an HMAC over all its columns.
    let isAuthenticated: Bool
    /// Selects all columns; a condition may follow.
    let select: String
    /// Inserts a row unless there is one with its key. A violated check is an error all the same.
    let insert: String
    /// Inserts a row, or replaces the one with its key.
    let replace: String
    /// Replaces a row if its version still is the record's, and counts the version up. For versioned records only.
    let compareAndSet: String
    /// The position of each column in a selected row. The HMAC comes after them.
    let positions: [String: Int]

    private let key: [Column]
    /// The columns that are neither part of the key nor the version.
    private let others: [Column]
    private let version: [Column]

    private init(_ name: String, key: [Column], others: [Column], version: [Column], isAuthenticated: Bool) {
        let columns = (key + others + version).map(\.name)
        let code = isAuthenticated ? ["authentication_code"] : []
        let names = (columns + code).joined(separator: ", ")
        let keys = key.map(\.name)
        let row = "\(name) (\(names)) VALUES (\((1...columns.count + code.count).parameters))"
        let conflict = "ON CONFLICT (\(keys.joined(separator: ", ")))"
        let changes = (others + version).map(\.name) + code
        // The order of `compareAndSetValues`.
        let set = others.map(\.name) + code
        let conditions = (keys + version.map(\.name)).enumerated().map { "\($1) = $\(set.count + $0 + 1)" }
        select = "SELECT \(names) FROM \(name)"
        insert = "INSERT INTO \(row) \(conflict) DO NOTHING"
        replace =
            "INSERT INTO \(row) \(conflict) DO UPDATE SET "
            + changes.map { "\($0) = excluded.\($0)" }.joined(separator: ", ")
        compareAndSet =
            "UPDATE \(name) SET "
            + (set.enumerated().map { "\($1) = $\($0 + 1)" } + ["version = version + 1"]).joined(separator: ", ")
            + " WHERE \(conditions.joined(separator: " AND "))"
        positions = Dictionary(uniqueKeysWithValues: columns.enumerated().map { ($1, $0) })
        self.name = name
        self.isAuthenticated = isAuthenticated
        self.key = key
        self.others = others
        self.version = version
    }

    /// Returns the values of ``insert`` and ``replace``.
    ///
    /// - Parameter code: A closure that returns the HMAC of the values of all columns.
    func insertValues(_ record: Record, _ code: ([SQLValue]) -> SQLValue) -> [SQLValue] {
        let values = (key + others + version).map { $0.value(record) }
        return isAuthenticated ? values + [code(values)] : values
    }

    /// Returns the values of ``compareAndSet``.
    ///
    /// - Parameters:
    ///   - next: The record with its next version, which the HMAC is over.
    ///   - code: A closure that returns the HMAC of the values of all columns.
    func compareAndSetValues(_ record: Record, next: Record, _ code: ([SQLValue]) -> SQLValue) -> [SQLValue] {
        let set = others.map { $0.value(record) }
        let codes = isAuthenticated ? [code((key + others + version).map { $0.value(next) })] : []
        return set + codes + (key + version).map { $0.value(record) }
    }

    /// Returns whether a selected row has its HMAC.
    ///
    /// - Parameter code: A closure that returns the HMAC of the values of all columns.
    func isAuthentic(_ row: any SQLRow, _ code: ([SQLValue]) -> [UInt8]) -> Bool {
        guard isAuthenticated else { return true }
        guard case .blob(let stored) = row.value(positions.count) else { return false }
        return ConstantTime.equal(code((0..<positions.count).map(row.value)), stored)
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
        self.init(name, key: key, others: columns, version: [], isAuthenticated: false)
    }
}

extension Table where Record: VersionedRecord {
    /// Creates the table of a versioned record. The column `version` is added.
    ///
    /// - Parameters:
    ///   - name: The name of the table.
    ///   - key: The columns of the primary key.
    ///   - columns: The other columns but the version, in any order. Their order is part of the HMAC.
    ///   - isAuthenticated: Whether each row has an HMAC over all its columns, in the column `authentication_code`.
    init(versioned name: String, key: [Column], columns: [Column], isAuthenticated: Bool = false) {
        self.init(
            name, key: key, others: columns, version: [Column("version", \.version)],
            isAuthenticated: isAuthenticated)
    }
}

extension ClosedRange<Int> {
    /// The parameters of a statement, with commas.
    fileprivate var parameters: String { map { "$\($0)" }.joined(separator: ", ") }
}
