internal import Crypto
internal import OrchestrationProtocol
internal import Primitives

/// The HMAC-SHA-256 over the columns of rows that decisions depend on.
///
/// The input is the deterministic CBOR array [tenant, table, values of the columns…]. A writer to the database without
/// the key can therefore neither change a column, nor move the row, nor insert one. A whole row from an earlier time
/// has the valid HMAC of that time and is not detected here: see ``RevocationSum``.
struct RowAuthenticator: Sendable {
    let tenant: String
    private let key: SecretBox<PreparedMAC>

    init(tenant: String, keys: DataKeys) {
        self.tenant = tenant
        key = keys.authentication
    }

    /// Returns the HMAC of a row.
    ///
    /// - Parameters:
    ///   - values: The values of all columns of the table, in its order.
    ///   - table: The name of the table.
    func code(ofRow values: [SQLValue], in table: String) -> [UInt8] {
        key.secret.code(of: CBORValue.array([.text(tenant), .text(table)] + values.map(\.encoded)).encoded)
    }
}

extension SQLValue {
    /// The value in deterministic CBOR.
    var encoded: CBORValue {
        switch self {
        case .null: .null
        case .integer(let number): .integer(number)
        case .text(let text): .text(text)
        case .blob(let bytes): .bytes(bytes)
        // No stored value has this encoding: a row that contains such a value has no HMAC.
        case .other: .boolean(false)
        }
    }
}
