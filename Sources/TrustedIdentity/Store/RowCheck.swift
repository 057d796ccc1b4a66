internal import Logging
internal import Primitives

/// The HMACs of rows, made and verified for one transaction. A row that fails was changed by another program.
package struct RowCheck: Sendable {
    /// nil before the keys of the store are known: rows are then stored without an HMAC, and none is verified.
    var authenticator: RowAuthenticator?
    let logger: Logger
    let correlation: Logger.MetadataValue?

    /// Makes and verifies no HMACs.
    static var none: RowCheck {
        RowCheck(
            authenticator: nil, logger: Logger(label: "trusted-identity") { _ in SwiftLogNoOpLogHandler() },
            correlation: nil)
    }

    /// Returns whether a selected row has its HMAC, if its table has them.
    func isAuthentic<Record>(_ row: any SQLRow, of table: Table<Record>) -> Bool {
        guard let authenticator else { return true }
        return table.isAuthentic(row) { authenticator.code(ofRow: $0, in: table.name) }
    }

    /// Returns the HMAC of the values of a row.
    func code(ofRow values: [SQLValue], in table: String) -> SQLValue {
        authenticator.map { .blob($0.code(ofRow: values, in: table)) } ?? .null
    }

    /// Logs that a row was changed.
    func reportRow(of table: String) {
        var metadata: Logger.Metadata = ["row.table": "\(table)"]
        metadata["correlation.id"] = correlation
        logger.error("a row was changed outside of the platform", metadata: metadata)
    }
}

/// Reads a row for a decision that treats an altered row as one that does not exist. The alteration was logged.
func ifUnaltered<Row>(_ read: () throws -> Row?) throws -> Row? {
    do {
        return try read()
    } catch let error as PlatformError where error.code == .alteredRow {
        return nil
    }
}
