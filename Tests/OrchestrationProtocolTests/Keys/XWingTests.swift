import Crypto
import Primitives
import TestSupport
import Testing

@testable import OrchestrationProtocol

/// The vectors of draft-connolly-cfrg-xwing-kem.
@Suite struct XWingTests {
    struct Case: Decodable { let seed, ss, pk, ct: String }

    @Test func `keys and secrets equal the draft's`() throws {
        let cases = try Vectors.decode([Case].self, "hpke-xwing/xwing_kem_test-vectors.json")
        #expect(cases.count == 3)
        for test in cases {
            let key = try XWing.key(seed: SecretBytes(copying: [UInt8](hex: test.seed)))
            #expect(key.publicBytes == [UInt8](hex: test.pk))
            #expect(key.representation().revealed == [UInt8](hex: test.seed))
            let ciphertext = [UInt8](hex: test.ct)
            let secret = try key.decapsulate(ciphertext)
            #expect(secret.matches([UInt8](hex: test.ss)))
            for bit in stride(from: 0, to: ciphertext.count * 8, by: 501) {
                var flipped = ciphertext
                flipped[bit / 8] ^= 1 << UInt8(bit % 8)
                let other = try key.decapsulate(flipped)
                #expect(other != secret)
            }
            for length in [0, 31, 32, 1119, 1121] {
                let wrong = Array((ciphertext + ciphertext).prefix(length))
                #expect(refusal { _ = try key.decapsulate(wrong) } == .malformed)
            }
        }
    }

    @Test func `an encapsulated secret is decapsulated`() throws {
        let key = try XWing.key(seed: SecretBytes(copying: [UInt8](repeating: 5, count: 32)))
        let (secret, ciphertext) = try XWing.encapsulate(to: key.publicBytes)
        #expect(try key.decapsulate(ciphertext) == secret)
        let (again, _) = try XWing.encapsulate(to: key.publicBytes)
        #expect(again != secret)
    }

    @Test func `invalid keys and halves of low order are refused`() throws {
        let key = try XWing.key(seed: SecretBytes(copying: [UInt8](repeating: 5, count: 32)))
        let publicKey = key.publicBytes
        for length in [0, 32, 1215, 1217] {
            let wrong = Array((publicKey + publicKey).prefix(length))
            #expect(refusal { _ = try XWing.encapsulate(to: wrong) } == .malformed)
        }
        // Coefficients above the modulus of ML-KEM (FIPS 203, section 7.2).
        let unreduced = [UInt8](repeating: 0xFF, count: 1184) + publicKey.suffix(32)
        #expect(refusal { _ = try XWing.encapsulate(to: unreduced) } == .malformed)
        let zero = [UInt8](repeating: 0, count: 32)
        #expect(refusal { _ = try XWing.encapsulate(to: publicKey.dropLast(32) + zero) } == .lowOrderPoint)
        #expect(
            refusal { _ = try key.decapsulate([UInt8](repeating: 1, count: 1088) + zero) } == .lowOrderPoint)
        #expect(refusal { _ = try XWing.key(seed: SecretBytes(copying: [1, 2, 3])) } == .malformed)
    }
}
