import TrustedIdentity

/// A deliberately naive database: an `UPDATE` does not compare the version of a row, nor a code counter, with what the
/// decision has read.
///
/// Tests of what may happen only once must fail with it.
struct UnconditionalDatabase: SQLDatabase {
    let base: any SQLDatabase

    var dialect: SQLDialect { base.dialect }
    var peers: (any DatabasePeers)? { base.peers }

    func read<R: Sendable>(_ body: @escaping @Sendable (any SQLSession) throws -> R) async throws -> R {
        try await base.read(body)
    }

    func write<R: Sendable>(_ body: @escaping @Sendable (any SQLSession) throws -> R) async throws -> R {
        try await base.write { try body(Session(base: $0)) }
    }

    private struct Session: SQLSession {
        let base: any SQLSession

        var dialect: SQLDialect { base.dialect }

        func note(entry id: [UInt8]) { base.note(entry: id) }

        func run(_ sql: String, _ values: [SQLValue], _ read: (any SQLRow) throws -> Void) throws -> Int {
            // The parameter stays in the statement.
            let condition = /AND (version|next|drift|first_index) = (\$\d+)/
            let statement =
                sql.hasPrefix("UPDATE") ? sql.replacing(condition) { "AND (\($0.1) = \($0.2) OR 1 = 1)" } : sql
            return try base.run(statement, values, read)
        }
    }
}
