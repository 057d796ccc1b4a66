import Primitives
import Testing

@testable import TrustedIdentity

/// The HMAC of rows. The values were computed with Python's hmac and hashlib, from the description of the article
/// "What the platform keeps".
struct RowAuthenticatorTests {
    let authenticator: RowAuthenticator
    let keys: DataKeys

    init() throws {
        // The first key has the bytes 0, the second one the bytes 1, and so on.
        keys = try DataKeys(SecretBytes(copying: (0..<192).map { UInt8($0 / 32) }))
        authenticator = RowAuthenticator(tenant: "default", keys: keys)
    }

    static func time(_ milliseconds: Int64) -> Timestamp { Timestamp(millisecondsSinceEpoch: milliseconds) }

    /// The columns of `api_key` in the order of its table.
    static let row: [SQLValue] = [
        .text("k1"), .text("shop"), .text("admin"), .blob([UInt8](repeating: 9, count: 32)),
        .integer(1_800_000_000_000), .null, .integer(-1), .integer(0), .text(""), .integer(7),
    ]

    @Test func `the HMAC of a row has its published value`() {
        #expect(
            Hex.encode(authenticator.code(ofRow: Self.row, in: "api_key"))
                == "2b90aaea782d6b7eedb427d68a03eaa44b186091e558744051aa3a70166a787a")
    }

    @Test func `each column, the table and the tenant are in the HMAC`() throws {
        var codes = [authenticator.code(ofRow: Self.row, in: "api_key")]
        for index in Self.row.indices {
            for value in [SQLValue.null, .integer(8), .text("8"), .blob([8]), .other] where value != Self.row[index] {
                var row = Self.row
                row[index] = value
                codes.append(authenticator.code(ofRow: row, in: "api_key"))
            }
        }
        codes.append(authenticator.code(ofRow: Self.row, in: "device"))
        codes.append(RowAuthenticator(tenant: "other", keys: keys).code(ofRow: Self.row, in: "api_key"))
        let other = RowAuthenticator(tenant: "default", keys: try DataKeys(random: SystemRandomSource()))
        codes.append(other.code(ofRow: Self.row, in: "api_key"))
        #expect(Set(codes).count == codes.count)
    }

    @Test func `the keyed hashes of an API key and of a source have their published values`() {
        let hashes = keys.hashes
        #expect(
            Hex.encode(hashes.stored(apiKeySecret: SecretBytes(copying: "secret".utf8)))
                == "c35edbcbf0f5b5338a5c52eb67cc3ba72375ea6c80bb17ae38f6ad857b9780b8")
        #expect(
            hashes.stored(source: "browser", of: "alice@master")
                == "53f7af79903d412992a64aa9c370f6cb8d7b6c2185476417da77c81609859ad1")
    }

    @Test func `the key of an exported log and its name have their published values`() {
        #expect(
            Hex.encode(keys.auditExport.withSpan { [UInt8]($0) })
                == "5b38d5b980b917ea626a24bddacfaa01a655adedc4cfa1eb59223e80b3aeea28")
        #expect(keys.id == "37e9a247230cb413")
    }

    @Test func `the keyed hashes of creditors and browsers have their published values, and depend on the account`() {
        let hashes = keys.hashes
        let hash = hashes.stored(browser: "f3b1", of: "alice@master")
        #expect(Hex.encode(hash) == "5c79d724e3591d25ada452917e4cde37")
        #expect(
            Hex.encode(hashes.stored(creditor: "ACME", of: "alice@master")) == "03421f0444e45a7c4c7c25a441d22139")
        #expect(hash != hashes.stored(browser: "f3b1", of: "bob@master"))
        #expect(hash != hashes.stored(browser: "f3b2", of: "alice@master"))
        #expect(hash != hashes.stored(creditor: "f3b1", of: "alice@master"))
    }
}
