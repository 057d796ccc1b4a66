import Crypto
import OrchestrationProtocol
import TestSupport
import Testing

/// The fitting examples of the COSE working group, failures included.
@Suite struct COSEExampleTests {
    static let signatures = [
        "sign1-tests/sign-pass-01", "sign1-tests/sign-pass-02", "sign1-tests/sign-pass-03",
        "ecdsa-examples/ecdsa-sig-01", "eddsa-examples/eddsa-sig-01",
    ]

    static let ciphertexts = [
        "encrypted-tests/enc-pass-01", "encrypted-tests/enc-pass-02", "encrypted-tests/enc-pass-03",
        "encrypted-tests/aes-gcm-01", "aes-gcm-examples/aes-gcm-enc-01", "aes-gcm-examples/aes-gcm-enc-02",
        "aes-gcm-examples/aes-gcm-enc-03",
    ]

    @Test(arguments: signatures)
    func `a signed example verifies`(name: String) throws {
        let example = try COSEExample.named(name)
        let message = try Sign1(decoding: example.bytes, policy: .examples)
        #expect(
            message.signedBytes(externalAAD: example.external).hex == example.intermediates.ToBeSign_hex?.lowercased())
        #expect(try verify(message, example) == Array(example.input.plaintext.utf8))
        #expect(throws: WireError(.invalidSignature)) {
            try verify(message, example, externalAAD: example.external + [0])
        }
    }

    @Test(arguments: [
        ("sign1-tests/sign-fail-01", WireError.Code.unsupportedTag),
        ("sign1-tests/sign-fail-02", .invalidSignature),
        ("sign1-tests/sign-fail-03", .unsupportedAlgorithm),
        ("sign1-tests/sign-fail-04", .unsupportedAlgorithm),
        ("sign1-tests/sign-fail-06", .invalidSignature),
        ("sign1-tests/sign-fail-07", .invalidSignature),
        // Curves that we do not have.
        ("ecdsa-examples/ecdsa-sig-02", .unsupportedAlgorithm),
        ("ecdsa-examples/ecdsa-sig-03", .unsupportedAlgorithm),
        ("ecdsa-examples/ecdsa-sig-04", .unsupportedAlgorithm),
        ("eddsa-examples/eddsa-sig-02", .unexpectedLength),
    ])
    func `a signed example that must fail, or has another algorithm, is refused`(
        name: String, code: WireError.Code
    ) throws {
        let example = try COSEExample.named(name)
        #expect(example.mustFail == name.contains("fail"))
        #expect(throws: WireError(code)) {
            try verify(Sign1(decoding: example.bytes, policy: .examples), example)
        }
    }

    @Test(arguments: ciphertexts)
    func `an encrypted example opens`(name: String) throws {
        let example = try COSEExample.named(name)
        let message = try Encrypt0(decoding: example.bytes, policy: .examples)
        #expect(
            message.additionalData(externalAAD: example.external).hex == example.intermediates.AAD_hex?.lowercased())
        #expect(try open(message, example) == Array(example.input.plaintext.utf8))
        #expect(throws: CryptoKitError.self) { try open(message, example, externalAAD: example.external + [0]) }
    }

    @Test(arguments: [
        "encrypted-tests/enc-fail-02", "encrypted-tests/enc-fail-06", "encrypted-tests/enc-fail-07",
        "aes-gcm-examples/aes-gcm-enc-04",
    ])
    func `an encrypted example that was changed does not open`(name: String) throws {
        let example = try COSEExample.named(name)
        #expect(example.mustFail)
        let message = try Encrypt0(decoding: example.bytes, policy: .examples)
        #expect(throws: CryptoKitError.self) { try open(message, example) }
    }

    @Test(arguments: [
        ("encrypted-tests/enc-fail-01", WireError.Code.unsupportedTag),
        ("encrypted-tests/enc-fail-03", .unsupportedAlgorithm),
        ("encrypted-tests/enc-fail-04", .unsupportedAlgorithm),
    ])
    func `an encrypted example with a wrong structure is refused`(name: String, code: WireError.Code) throws {
        let example = try COSEExample.named(name)
        #expect(example.mustFail)
        #expect(throws: WireError(code)) { try Encrypt0(decoding: example.bytes, policy: .examples) }
    }

    @Test(arguments: signatures)
    func `the strict policy refuses the signed examples`(name: String) throws {
        let example = try COSEExample.named(name)
        let code: WireError.Code = name.hasSuffix("sign-pass-03") ? .unexpectedType : .unprotectedHeader
        #expect(throws: WireError(code)) { try Sign1(decoding: example.bytes) }
    }

    @Test(arguments: ciphertexts)
    func `the strict policy refuses the encrypted examples`(name: String) throws {
        let example = try COSEExample.named(name)
        let code: WireError.Code = name.hasSuffix("enc-pass-03") ? .unexpectedType : .unprotectedHeader
        #expect(throws: WireError(code)) { try Encrypt0(decoding: example.bytes) }
    }

    private func verify(_ message: Sign1, _ example: COSEExample, externalAAD: [UInt8]? = nil) throws -> [UInt8] {
        let key = try #require(example.publicKey)
        return if example.input.sign0?.key?.crv == "Ed25519" {
            try message.verify(ed25519: key, externalAAD: externalAAD ?? example.external)
        } else {
            try message.verify(p256: key, externalAAD: externalAAD ?? example.external)
        }
    }

    private func open(_ message: Encrypt0, _ example: COSEExample, externalAAD: [UInt8]? = nil) throws -> [UInt8] {
        let key = SymmetricKey(data: [UInt8](hex: try #require(example.intermediates.CEK_hex)))
        guard case .bytes(let nonce)? = message.unprotected[5] else { throw WireError(.missingHeader) }
        let box = try AES.GCM.SealedBox(combined: nonce + message.ciphertext)
        let data = message.additionalData(externalAAD: externalAAD ?? example.external)
        return [UInt8](try AES.GCM.open(box, using: key, authenticating: data))
    }
}
