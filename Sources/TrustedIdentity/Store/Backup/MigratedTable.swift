internal import Crypto
internal import OrchestrationProtocol

/// A table of a migration, and the statements that read and write its rows in both databases.
struct MigratedTable: Sendable {
    /// The number of rows and a hash of them, in the order of the primary key.
    struct Digest: Sendable, Equatable {
        var rows = 0
        var hash: [UInt8] = []
    }

    /// The rows of an INSERT. The chunks of a batch use the same statement, which a connection keeps.
    private static let chunk = 100

    let name: String
    private let columns: [String]
    /// The positions of the columns of the primary key, in the order of the key.
    private let key: [Int]

    /// Returns the tables of a SQLite database, in the order of their names. Views and SQLite's own tables are not among
    /// them.
    static func all(in session: any SQLSession) throws -> [MigratedTable] {
        var names: [String] = []
        try session.run(
            "SELECT name FROM sqlite_schema WHERE type = 'table' AND substr(name, 1, 7) <> 'sqlite_' ORDER BY name", []
        ) { names.append(try PositionedRow($0)[0]) }
        return try names.map { try MigratedTable($0, in: session) }
    }

    private init(_ name: String, in session: any SQLSession) throws {
        self.name = name
        var columns: [(name: String, place: Int)] = []
        try session.run("SELECT name, pk FROM pragma_table_info($1) ORDER BY cid", [.text(name)]) { row in
            let row = PositionedRow(row)
            columns.append((try row[0], try row[1]))
        }
        self.columns = columns.map(\.name)
        // The place in the primary key is 0 for other columns.
        key = columns.indices.filter { columns[$0].place > 0 }.sorted { columns[$0].place < columns[$1].place }
        guard !key.isEmpty else { throw MigrationError(.failed, table: name) }
    }

    /// Whether the table has a row.
    func hasRows(in session: any SQLSession) throws -> Bool {
        try !rows("SELECT 1 FROM \(name) LIMIT 1", [], in: session, count: 1).isEmpty
    }

    /// Returns the number of rows.
    ///
    /// - Parameter last: The highest primary key that counts; `nil` for all rows.
    func count(through last: [SQLValue]? = nil, in session: any SQLSession) throws -> Int {
        let condition = last == nil ? "" : " WHERE (\(keyColumns.joined(separator: ", "))) <= (\(keyParameters))"
        var count = 0
        try session.run("SELECT count(*) FROM \(name)\(condition)", last ?? []) { count = try PositionedRow($0)[0] }
        return count
    }

    /// Returns the highest primary key; `nil` for a table without rows.
    func lastKey(in session: any SQLSession) throws -> [SQLValue]? {
        let order = keyColumns.map { "\($0) DESC" }.joined(separator: ", ")
        return try rows(
            "SELECT \(keyColumns.joined(separator: ", ")) FROM \(name) ORDER BY \(order) LIMIT 1", [], in: session,
            count: key.count
        ).first
    }

    /// Returns the primary key of a row.
    func key(of row: [SQLValue]) -> [SQLValue] { key.map { row[$0] } }

    /// Returns rows in the order of the primary key.
    ///
    /// - Parameters:
    ///   - last: The key before the first row; `nil` for the first rows.
    ///   - limit: The maximum number of rows.
    /// - Throws: ``StoreError`` with `corrupt` for a value that no column of the schema has.
    func page(after last: [SQLValue]?, limit: Int, in session: any SQLSession) throws -> [[SQLValue]] {
        let keys = keyColumns.joined(separator: ", ")
        let condition = last == nil ? "" : "WHERE (\(keys)) > (\(keyParameters)) "
        let found = try rows(
            "SELECT \(columns.joined(separator: ", ")) FROM \(name) \(condition)ORDER BY \(keys) LIMIT \(limit)",
            last ?? [], in: session, count: columns.count)
        guard found.allSatisfy({ !$0.contains(.other) }) else { throw StoreError(.corrupt) }
        return found
    }

    /// Inserts rows.
    func insert(_ rows: [[SQLValue]], in session: any SQLSession) throws {
        var rest = rows[...]
        while !rest.isEmpty {
            // The rows at the end go one by one, because a statement of another length would be another text.
            let count = rest.count < Self.chunk ? 1 : Self.chunk
            let inserted = try session.run(insertion(of: count), rest.prefix(count).flatMap(\.self)) { _ in }
            guard inserted == count else { throw StoreError(.other) }
            rest.removeFirst(count)
        }
    }

    /// Returns the digest of all rows.
    ///
    /// The hash is the SHA-256 of the deterministic CBOR arrays of the values of the rows, one after another.
    ///
    /// - Parameter progress: Called with the number of rows so far.
    func digest(in database: any SQLDatabase, batch: Int, progress: (Int) -> Void) async throws -> Digest {
        var (hash, digest) = (SHA256(), Digest())
        var last: [SQLValue]?
        while true {
            let page = try await database.read { [last] in try self.page(after: last, limit: batch, in: $0) }
            for row in page { hash.update(data: CBORValue.array(row.map(\.encoded)).encoded) }
            digest.rows += page.count
            progress(digest.rows)
            guard page.count == batch, let row = page.last else { break }
            last = key(of: row)
        }
        digest.hash = Array(hash.finalize())
        return digest
    }

    private var keyColumns: [String] { key.map { columns[$0] } }
    private var keyParameters: String { (1...key.count).map { "$\($0)" }.joined(separator: ", ") }

    private func insertion(of count: Int) -> String {
        let rows = (0..<count).map { row in
            "(" + columns.indices.map { "$\(row * columns.count + $0 + 1)" }.joined(separator: ", ") + ")"
        }
        return "INSERT INTO \(name) (\(columns.joined(separator: ", "))) VALUES \(rows.joined(separator: ", "))"
    }

    private func rows(
        _ sql: String, _ values: [SQLValue], in session: any SQLSession, count: Int
    ) throws -> [[SQLValue]] {
        var rows: [[SQLValue]] = []
        try session.run(sql, values) { row in rows.append((0..<count).map(row.value)) }
        return rows
    }
}
