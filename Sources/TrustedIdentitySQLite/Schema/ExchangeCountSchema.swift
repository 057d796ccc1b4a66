internal import TrustedIdentity

/// The number of activation exchanges of each network is a row, which triggers keep up to date.
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
        trigger("inserted", "AFTER INSERT", counting("NEW", by: 1)),
        trigger("deleted", "AFTER DELETE", counting("OLD", by: -1)),
        trigger(
            "moved", "AFTER UPDATE OF source", condition: "WHEN OLD.source <> NEW.source",
            counting("OLD", by: -1) + counting("NEW", by: 1)),
    ]

    private static func trigger(
        _ name: String, _ event: String, condition: String = "", _ statements: [String]
    ) -> String {
        """
        CREATE TRIGGER activation_session_\(name) \(event) ON activation_session \(condition)
        BEGIN \(statements.joined(separator: "; ")); END
        """
    }

    /// The statements that add to the number of exchanges of each network that holds a row's address.
    private static func counting(_ row: String, by difference: Int) -> [String] {
        lengths.flatMap { length in
            let network = "substr(\(row).source, 1, \(length))"
            let parent = length == 0 ? "NULL" : "substr(\(row).source, 1, \(length - lengths[1]))"
            let condition = "length(\(row).source) >= \(length)"
            return difference > 0
                ? [
                    """
                    INSERT INTO activation_session_count SELECT \(network), \(parent), 1 WHERE \(condition)
                    ON CONFLICT (network) DO UPDATE SET count = count + 1
                    """
                ]
                : [
                    """
                    UPDATE activation_session_count SET count = count - 1 WHERE network = \(network) AND \(condition)
                    """,
                    "DELETE FROM activation_session_count WHERE network = \(network) AND count = 0",
                ]
        }
    }
}
