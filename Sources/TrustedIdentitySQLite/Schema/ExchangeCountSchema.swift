internal import TrustedIdentity

/// The eighth step: a row has the number of activation exchanges of each network, and triggers update it.
///
/// The name of a network is a beginning of the column `source`: of no characters for all exchanges, and of one, two or
/// three times ``ActivationSessionRecord/networkNameLength`` for networks from the widest to the narrowest. The
/// exchanges of an earlier version have no network. They expire within minutes.
enum ExchangeCountSchema {
    private static let lengths = (0...3).map { $0 * ActivationSessionRecord.networkNameLength }

    static let statements =
        [
            """
            CREATE TABLE activation_session_count (
                network TEXT NOT NULL PRIMARY KEY,
                parent TEXT,
                count INTEGER NOT NULL CHECK (count >= 0)
            ) STRICT, WITHOUT ROWID
            """,
            """
            CREATE INDEX activation_session_count_by_parent ON activation_session_count (parent, count DESC, network)
            """,
            "UPDATE activation_session SET source = ''",
            """
            INSERT INTO activation_session_count
            SELECT '', NULL, number FROM (SELECT count(*) AS number FROM activation_session) WHERE number > 0
            """,
            "DROP INDEX activation_session_by_source",
            """
            CREATE INDEX activation_session_by_source
            ON activation_session (source, second_answer IS NOT NULL, expires_at)
            """,
            """
            CREATE INDEX activation_session_by_age
            ON activation_session (second_answer IS NOT NULL, expires_at, source)
            """,
        ] + triggers

    private static let triggers = [
        trigger("inserted", "AFTER INSERT", added("NEW")),
        trigger("deleted", "AFTER DELETE", removed("OLD")),
        trigger(
            "moved", "AFTER UPDATE OF source", condition: "WHEN OLD.source <> NEW.source",
            removed("OLD") + added("NEW")),
    ]

    private static func trigger(
        _ name: String, _ event: String, condition: String = "", _ statements: [String]
    ) -> String {
        """
        CREATE TRIGGER activation_session_\(name) \(event) ON activation_session \(condition)
        BEGIN \(statements.joined(separator: "; ")); END
        """
    }

    /// The statements that count a row's exchange in each network that holds its address.
    private static func added(_ row: String) -> [String] {
        lengths.map { length in
            let parent = length == 0 ? "NULL" : name(in: row, length - lengths[1])
            return """
                INSERT INTO activation_session_count SELECT \(name(in: row, length)), \(parent), 1
                WHERE length(\(row).source) >= \(length)
                ON CONFLICT (network) DO UPDATE SET count = count + 1
                """
        }
    }

    /// The statements that take a row's exchange out of these counts.
    private static func removed(_ row: String) -> [String] {
        lengths.flatMap { length in
            let network = "network = \(name(in: row, length))"
            return [
                """
                UPDATE activation_session_count SET count = count - 1
                WHERE \(network) AND length(\(row).source) >= \(length)
                """,
                "DELETE FROM activation_session_count WHERE \(network) AND count = 0",
            ]
        }
    }

    private static func name(in row: String, _ length: Int) -> String { "substr(\(row).source, 1, \(length))" }
}
