internal import TrustedIdentity

extension AuditTally {
    static let select = "SELECT hour, event, reason, count FROM audit_tally"

    /// Adds one to a tally, or makes it.
    static let addOne = """
        INSERT INTO audit_tally (hour, event, reason, count) VALUES (?, ?, ?, 1)
        ON CONFLICT (hour, event, reason) DO UPDATE SET count = count + 1
        """

    init(_ columns: inout Columns) throws {
        self.init(
            hour: try columns.time(), event: try columns.word(), reason: try columns.text(),
            count: try columns.number())
    }
}
