internal import GRDB
internal import Primitives
internal import TrustedIdentity

// What is forgotten, and what makes room. Each condition has an index of its own (``RetentionSchema``).
extension SQLiteTransaction {
    func removeExpired(now: Timestamp, limit: Int) throws -> Int {
        try Self.forgetting.reduce(0) { count, statement in
            count + (try run(statement, [.time(now), .count(max(0, limit))]))
        }
    }

    func unfinishedDevices(until time: Timestamp, limit: Int) throws -> [DeviceRecord] {
        try records(
            "WHERE \(RetentionSchema.unfinished) AND pending_until <= ? ORDER BY pending_until LIMIT ?",
            [.time(time), .count(max(0, limit))])
    }

    func activationSessionCount() throws -> Int {
        try rows("SELECT count(*) FROM activation_session", []) { try $0.number(Int.self) }.first ?? 0
    }

    func activationSessionCount(of source: String) throws -> Int {
        try rows("SELECT count(*) FROM activation_session WHERE source = ?", [.text(source)]) {
            try $0.number(Int.self)
        }.first ?? 0
    }

    func busiestActivationSource() throws -> String? {
        try rows("SELECT source FROM activation_session GROUP BY source ORDER BY count(*) DESC, source LIMIT 1", []) {
            try $0.text()
        }.first
    }

    func removeOldestActivationSessions(of source: String, limit: Int) throws {
        _ = try run(
            """
            DELETE FROM activation_session WHERE rowid IN
            (SELECT rowid FROM activation_session WHERE source = ?
            ORDER BY second_answer IS NOT NULL, expires_at LIMIT ?)
            """, [.text(source), .count(max(0, limit))])
    }

    private static let forgetting =
        ["activation_session", "replay"].map { table in
            """
            DELETE FROM \(table) WHERE rowid IN (SELECT rowid FROM \(table) WHERE kept_until <= ? LIMIT ?)
            """
        } + [
            """
            UPDATE activation_session SET keys = NULL, version = version + 1 WHERE rowid IN
            (SELECT rowid FROM activation_session WHERE keys IS NOT NULL AND expires_at <= ? LIMIT ?)
            """,
            """
            UPDATE activation_code SET secret = NULL, version = version + 1 WHERE account IN
            (SELECT account FROM activation_code WHERE secret IS NOT NULL AND expires_at <= ? LIMIT ?)
            """,
        ]
}
