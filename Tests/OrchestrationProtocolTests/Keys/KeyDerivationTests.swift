import Crypto
import OrchestrationProtocol
import Primitives
import TestSupport
import Testing

/// Wycheproof's vectors for HKDF with secret salts.
@Suite struct KeyDerivationTests {
    struct File: Decodable {
        struct Group: Decodable { let tests: [Case] }
        struct Case: Decodable {
            let tcId, size: Int
            let ikm, salt, info, okm, result: String
        }
        let testGroups: [Group]
    }

    private func check<H: HashFunction>(_ hash: H.Type, _ path: String) throws -> Int {
        let cases = try Vectors.decode(File.self, path).testGroups.flatMap(\.tests).filter { $0.result == "valid" }
        for test in cases {
            let salt = [UInt8](hex: test.salt)
            // RFC 5869, section 2.2: no salt is as many zeros as the hash is long.
            let key = SymmetricKey(data: salt.isEmpty ? [UInt8](repeating: 0, count: H.Digest.byteCount) : salt)
            let root = KeyDerivation<H>.extract(salt: key, SymmetricKey(data: [UInt8](hex: test.ikm)))
            let output = KeyDerivation<H>.expand(root, info: [UInt8](hex: test.info), count: test.size)
            #expect(output.withSpan { [UInt8]($0) } == [UInt8](hex: test.okm), "case \(test.tcId)")
        }
        return cases.count
    }

    @Test func `HKDF with SHA-256 and SHA-512 gives Wycheproof's keys`() throws {
        #expect(try check(SHA256.self, "wycheproof/hkdf_sha256_test.json") > 50)
        #expect(try check(SHA512.self, "wycheproof/hkdf_sha512_test.json") > 50)
    }

    @Test func `label, context, salt and length all matter`() {
        let key = SymmetricKey(data: [UInt8](repeating: 1, count: 32))
        let salt = SymmetricKey(data: [UInt8](repeating: 2, count: 32))
        let keys = [
            KeyDerivation<SHA256>.derive(key, as: .request, count: 32),
            KeyDerivation<SHA256>.derive(key, as: .answer, count: 32),
            KeyDerivation<SHA256>.derive(key, salt: salt, as: .request, count: 32),
            KeyDerivation<SHA256>.derive(key, as: .request, context: [0], count: 32),
            KeyDerivation<SHA512>.derive(key, as: .request, count: 32),
        ]
        #expect(Set(keys.map { key in key.withSpan { [UInt8]($0) } }).count == keys.count)
        #expect(KeyDerivation<SHA256>.derive(key, as: .request, count: 44)[0..<32] == keys[0])
    }

    @Test func `secrets are joined, cut and compared as bytes`() {
        let (a, b) = (SymmetricKey(data: [1, 2]), SymmetricKey(data: [3]))
        let joined = SymmetricKey(a, b)
        #expect(joined.matches([1, 2, 3]))
        #expect(!joined.matches([1, 2, 4]) && !joined.matches([1, 2]) && !joined.matches([1, 2, 3, 0]))
        #expect(joined[1..<3].matches([2, 3]))
        #expect(joined.secretBytes.revealed == [1, 2, 3])
        #expect(SymmetricKey(joined.secretBytes) == joined)
    }
}
