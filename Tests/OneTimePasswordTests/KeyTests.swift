import Crypto
import OneTimePassword
import Primitives
import TestSupport
import Testing

private struct Wycheproof: Decodable {
    struct Group: Decodable {
        let tagSize: Int
        let tests: [Row]
    }
    struct Row: Decodable {
        let tcId: Int
        let key, msg, tag, result: String
    }
    let testGroups: [Group]
}

@Suite struct KeyTests {
    private func authenticationCode(_ hex: String, _ algorithm: HashAlgorithm, _ message: [UInt8]) throws -> [UInt8] {
        let key = try key(hex, algorithm)
        return key.authenticationCode(for: message.span)
    }

    @Test(arguments: HashAlgorithm.allCases)
    func `the HMAC agrees with Wycheproof`(_ algorithm: HashAlgorithm) throws {
        let file = "wycheproof/hmac_\(algorithm.rawValue.lowercased())_test.json"
        var results: [String: Int] = [:]
        for group in Vectors.load(Wycheproof.self, file).testGroups {
            for row in group.tests {
                let (message, expected) = try (Hex.decode(row.msg), Hex.decode(row.tag))
                let tag = try authenticationCode(row.key, algorithm, message).prefix(group.tagSize / 8)
                let isEqual = ConstantTime.equal(Array(tag), expected)
                #expect(isEqual == (row.result == "valid"), "test \(row.tcId)")
                results[row.result, default: 0] += 1
            }
        }
        #expect(results["valid", default: 0] >= 50)
        #expect(results["invalid", default: 0] >= 50)
    }

    @Test(arguments: [0, 1025])
    func `a key without bytes or with too many is refused`(_ count: Int) {
        #expect(throws: OneTimePasswordError.self) {
            _ = try OneTimePasswordKey(copying: [UInt8](repeating: 1, count: count))
        }
    }

    @Test func `a derived key makes the same codes as its bytes`() throws {
        let fromBytes = try HOTP(key: OneTimePasswordKey(copying: seed(.sha256), algorithm: .sha256), digits: 8)
        let fromSpan = try HOTP(key: OneTimePasswordKey(seed(.sha256).span), digits: 8)
        let fromKey = try HOTP(key: OneTimePasswordKey(.init(data: seed(.sha256))), digits: 8)
        let codes = (0..<3).map { fromBytes.code(counter: $0).digits }
        #expect(codes == (0..<3).map { fromSpan.code(counter: $0).digits })
        #expect(codes == (0..<3).map { fromKey.code(counter: $0).digits })
    }

    @Test func `the name of an algorithm is read in any case, and no other name is`() {
        #expect(HashAlgorithm(name: "sha256") == .sha256)
        #expect(HashAlgorithm(name: "SHA1") == .sha1)
        for name in ["", "SHA", "SHA-1", "SHA384", "MD5", "SHA256 "] { #expect(HashAlgorithm(name: name) == nil) }
    }

    @Test func `printing, dumping and describing reveals neither code nor key`() throws {
        let hotp = try HOTP(key: OneTimePasswordKey(copying: seed(.sha1)))
        let code = hotp.code(counter: 0)
        #expect(code.digits == "755224")
        struct Holder {
            let code: OneTimeCode
        }
        var dumped = ""
        dump(Holder(code: code), to: &dumped)
        let texts = [dumped, "\(code)", String(describing: code), String(reflecting: code), "\(Holder(code: code))"]
        for text in texts {
            #expect(text.contains("one-time code of 6 characters"))
            #expect(!text.contains("755224"))
        }
    }

    @Test func `errors are equal by code and name the party that has to act`() {
        let error = #expect(throws: OneTimePasswordError.self) { _ = try OneTimePasswordKey(copying: []) }
        #expect(error?.code == .invalidKey)
        #expect(error?.blame == .caller)
        #expect(error?.description == "a key has 1 to 1024 bytes")
        #expect(error?.location.fileID == "OneTimePassword/OneTimePasswordKey.swift")
    }

    @Test(arguments: [
        ("3132333435363738393031323334353637383930", OneTimePasswordKey.TextFormat.automatic),
        ("31323334 35363738 39303132 33343536 37383930", .hexadecimal),
        ("GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ", .automatic), ("gezd gnbv gy3t qojq gezd gnbv gy3t qojq", .automatic),
        ("GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ", .base32),
    ])
    func `a key is read in hexadecimal and in Base32`(
        _ text: String, _ format: OneTimePasswordKey.TextFormat
    ) throws {
        let key = try OneTimePasswordKey(text: SecretBytes(copying: text.utf8), format: format, algorithm: .sha1)
        #expect(try HOTP(key: key).code(counter: 0).digits == "755224")
    }

    @Test(arguments: [
        ("", OneTimePasswordKey.TextFormat.automatic), ("  ", .automatic), ("0x31", .automatic), ("ABC", .hexadecimal),
        ("GEZDGNBV", .hexadecimal), ("31323334", .base32), ("GEZDGNB!", .automatic), ("é", .automatic),
    ])
    func `a key in another form is refused`(_ text: String, _ format: OneTimePasswordKey.TextFormat) {
        let error = #expect(throws: OneTimePasswordError.self) {
            _ = try OneTimePasswordKey(text: SecretBytes(copying: text.utf8), format: format, algorithm: .sha1)
        }
        #expect(error?.code == .invalidKey)
    }
}
