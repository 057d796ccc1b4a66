import Crypto
import TestSupport
import Testing

@testable import OrchestrationTesting

/// RFC 6979, A.2.5 (P-256, SHA-256).
@Suite struct DeterministicSignatureTests {
    static let privateKey = "C9AFA9D845BA75166B5C215767B1D6934E50C3DB36E89B127B8A622B120F6721"
    static let sample =
        "EFD48B2AACB6A8FD1140DD9CD45E81D69D2C877B56AAF991C34D0EA84EAF3716"
        + "F7CB1C942D657C41D436C7A1B6E29F65F3E900DBB9AFF4064DC4AB2F843ACDA8"
    static let test =
        "F1ABB023518351CD71D881567B1EA663ED3EFCF6C5132B354F28D3B0B7D38367"
        + "019F4113742A2B14BD25926B49C649155F267E60D3814B4C0CC84250E46F0083"

    @Test(arguments: [("sample", sample), ("test", test)])
    func `a message has the signature of the RFC`(message: String, signature: String) throws {
        let signed = try DeterministicSignature.sign(Array(message.utf8), privateKey: [UInt8](hex: Self.privateKey))
        #expect(signed == [UInt8](hex: signature))
    }

    @Test func `any key's signature is a valid one and only of its message`() throws {
        let random = SeededRandomSource(seed: 1)
        for length in 0..<20 {
            let key = try P256.Signing.PrivateKey(rawRepresentation: random.bytes(32))
            let message = random.bytes(length)
            let signed = try DeterministicSignature.sign(message, privateKey: Array(key.rawRepresentation))
            let signature = try P256.Signing.ECDSASignature(rawRepresentation: signed)
            #expect(key.publicKey.isValidSignature(signature, for: message))
            #expect(!key.publicKey.isValidSignature(signature, for: message + [0]))
        }
    }

    @Test(arguments: [1, 2, 3, 0xFFFF_FFFF] as [UInt64])
    func `a number times its inverse is one`(number: UInt64) throws {
        let small =
            [UInt8](repeating: 0, count: 24) + (0..<8).map { UInt8(truncatingIfNeeded: number >> (56 - 8 * $0)) }
        let scalar = try #require(P256Scalar(nonZero: small))
        let minus = P256Scalar(reducing: P256Scalar.order.bytes)
        #expect(minus == .zero)
        #expect(scalar * scalar.inverse == .one)
        #expect(scalar.inverse * scalar.inverse.inverse == .one)
    }

    @Test func `zero and the order are no keys`() {
        #expect(P256Scalar(nonZero: [UInt8](repeating: 0, count: 32)) == nil)
        #expect(P256Scalar(nonZero: P256Scalar.order.bytes) == nil)
    }
}
