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

    @Test func `the keyed hashes of a certificate and of addresses have their published values`() throws {
        let hashes = keys.hashes
        #expect(
            Hex.encode(hashes.stored(certificateHash: [UInt8](repeating: 7, count: 32)))
                == "fd698a8d6151b6d63661b9c8aa9669f7c6cb48b705ff14271d108bc4a906fbc5")
        #expect(hashes.stored(address: "192.0.2.1") == "9736ec41cd55fc1d")
        let address = try #require(NetworkAddress("192.0.2.1"))
        #expect(hashes.stored(address: address, of: "alice@master") == "77bc9d9695c1914a")
    }

    /// Values that were sealed in Python at revision 5 of row 01, with the nonce 00 01 … 0b: ciphertext and tag.
    static let sealed: [(table: RowSealer.Table, owner: RowOwner?, bytes: String)] = {
        let device = RowOwner(account: "alice@master", deviceKey: [UInt8](repeating: 2, count: 33))
        return [
            (.staticPassword, device, "f85ae8d49bb0f39604cc61c42374495c3aaa1265"),
            (.activationPassword, device, "d89c65e017e8f914686d1ab3b48656ad23024d10"),
            (.activationSession, device, "ec8e560e59a97ff931a5f30fbf44b47e52fa2cc1"),
            (.deviceSecrets, device, "9f9eaa8fca3bf7ea0ce3658e28dec0f753288b1c"),
            (.deviceRatchet, device, "956045ca7249c66b60bef73f320d546012c47f6f"),
            (.revokedChannelKey, device, "c3b6ed2661849f0c14f42d46f11940b52c16cd9f"),
            (.approvalNumber, device, "7f13d7a41d8ccfd50acab29a27403be839ac713a"),
            (.deviceData, device, "aedecbf2e83b89ece4df1f57eb1b5cc3fe819b92"),
            (.platformKey, device, "00c136cb43b3915c1cf1cde891fd8608cd87e9f3"),
            (.dataKeys, device, "37a6529726338edda7d3d2e5d2021897fe05c21b"),
            (.approvalNumber, RowOwner(account: "alice@master"), "55cabe3dd443e7c5fd9c3b074c45466707ec1030"),
            (
                .activationSession, RowOwner(exchangeOf: "alice@master", registrationID: "r1"),
                "f4d08f91337c492109e774e13b0c8f350b179a11"
            ),
            (.platformKey, nil, "83f841fa17f28935960974dad15ddb5985b2f374"),
        ]
    }()

    @Test(arguments: sealed.indices) func `a value that another program has sealed opens`(index: Int) throws {
        let (table, owner, bytes) = Self.sealed[index]
        let value = try SealedValue(revision: 5, bytes: [UInt8](0..<12) + Hex.decode(bytes))
        let sealer = RowSealer(tenant: "default", keys: keys, random: SystemRandomSource())
        let opened = try sealer.open(value, table, row: [1], owner: owner, revision: 5)
        #expect(opened.withBytes { span in span.indices.map { span[$0] } } == [1, 2, 3, 4])
        #expect(Set(Self.sealed.map(\.table)).count == RowSealer.Table.allCases.count)
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
