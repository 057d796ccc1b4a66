import Crypto
import OrchestrationProtocol
import Primitives
import TestSupport
import Testing

@Suite struct Sign1Tests {
    static let platform = (try? Curve25519.Signing.PrivateKey(rawRepresentation: [UInt8](repeating: 7, count: 32)))
    static let device = (try? P256.Signing.PrivateKey(rawRepresentation: [UInt8](repeating: 9, count: 32)))
    static let external = Array("swift-orchestration/1 test".utf8)

    static func platformMessage(_ payload: [UInt8] = [1, 2, 3]) throws -> Sign1 {
        let key = try #require(platform)
        return try Sign1.signing(
            payload, header: COSEHeader(algorithm: .ed25519, keyID: [8, 8]), externalAAD: external
        ) { (bytes: [UInt8]) throws -> [UInt8] in [UInt8](try key.signature(for: bytes)) }
    }

    static func deviceMessage(_ payload: [UInt8] = [1, 2, 3]) async throws -> Sign1 {
        let key = try #require(device)
        return try await Sign1.signing(payload, header: COSEHeader(algorithm: .esp256), externalAAD: external) {
            (bytes: [UInt8]) async throws -> [UInt8] in
            await Task.yield()
            return [UInt8](try key.signature(for: bytes).rawRepresentation)
        }
    }

    @Test func `the platform's signature verifies with its key only`() throws {
        let message = try Self.platformMessage()
        let key = [UInt8](try #require(Self.platform).publicKey.rawRepresentation)
        let other = [UInt8](Curve25519.Signing.PrivateKey().publicKey.rawRepresentation)
        #expect(message.encoded.hex.hasPrefix("d28447a2013204420808a0430102035840"))
        let received = try Sign1(decoding: message.encoded)
        #expect(received == message)
        #expect(received.header.keyID == [8, 8])
        #expect(try received.verify(ed25519: key, externalAAD: Self.external) == [1, 2, 3])
        #expect(throws: WireError(.invalidSignature)) {
            try received.verify(ed25519: other, externalAAD: Self.external)
        }
        #expect(throws: WireError(.invalidSignature)) { try received.verify(ed25519: key, externalAAD: []) }
        #expect(throws: WireError(.invalidKey)) { try received.verify(ed25519: [1], externalAAD: Self.external) }
        #expect(throws: WireError(.unsupportedAlgorithm)) { try received.verify(p256: key, externalAAD: Self.external) }
    }

    @Test func `a device's signature verifies with its key only`() async throws {
        let message = try await Self.deviceMessage()
        let key = [UInt8](try #require(Self.device).publicKey.compressedRepresentation)
        let other = [UInt8](P256.Signing.PrivateKey().publicKey.compressedRepresentation)
        #expect(message.encoded.hex.hasPrefix("d28443a10128a0430102035840"))
        let received = try Sign1(decoding: message.encoded)
        #expect(received.header.keyID == nil)
        #expect(try received.verify(p256: key, externalAAD: Self.external) == [1, 2, 3])
        #expect(throws: WireError(.invalidSignature)) { try received.verify(p256: other, externalAAD: Self.external) }
        #expect(throws: WireError(.invalidSignature)) { try received.verify(p256: key, externalAAD: []) }
        #expect(throws: WireError(.invalidKey)) { try received.verify(p256: [], externalAAD: Self.external) }
        #expect(throws: WireError(.invalidKey)) {
            try received.verify(p256: [5] + key.dropFirst(), externalAAD: Self.external)
        }
        #expect(throws: WireError(.unsupportedAlgorithm)) {
            try received.verify(ed25519: [UInt8](key.dropFirst()), externalAAD: Self.external)
        }
    }

    @Test func `every flipped bit of a signed message is refused`() throws {
        let message = try Self.platformMessage()
        let key = [UInt8](try #require(Self.platform).publicKey.rawRepresentation)
        for flipped in message.encoded.bitFlips {
            #expect(throws: WireError.self) {
                try Sign1(decoding: flipped).verify(ed25519: key, externalAAD: Self.external)
            }
        }
    }

    @Test func `a truncated or extended message is refused`() throws {
        let bytes = try Self.platformMessage().encoded
        for truncated in bytes.truncations { #expect(throws: WireError.self) { try Sign1(decoding: truncated) } }
        #expect(throws: WireError(.trailingBytes)) { try Sign1(decoding: bytes + [0]) }
    }

    @Test func `a signature of a wrong length is blamed on the caller`() throws {
        let error = #expect(throws: WireError.self) {
            try Sign1.signing([], header: COSEHeader(algorithm: .esp256), externalAAD: []) { (_: [UInt8]) in [1, 2] }
        }
        #expect(error?.code == .invalidSignature)
        #expect(error?.blame == .caller)
    }

    static let signature = "5840" + String(repeating: "00", count: 64)

    @Test(arguments: [
        // Unprotected headers, even one that would be harmless.
        ("d28443a10132a1044101" + "4101" + signature, WireError.Code.unprotectedHeader),
        ("d28443a10132a10132" + "4101" + signature, .unprotectedHeader),
        // The algorithm.
        ("d28440a0" + "4101" + signature, .missingAlgorithm),
        ("d28441a0a0" + "4101" + signature, .missingAlgorithm),
        ("d28444a1044101a0" + "4101" + signature, .missingAlgorithm),
        ("d28443a10126a0" + "4101" + signature, .unsupportedAlgorithm),
        ("d28443a10127a0" + "4101" + signature, .unsupportedAlgorithm),
        ("d28443a101f6a0" + "4101" + signature, .unsupportedAlgorithm),
        ("d28444a1016132a0" + "4101" + signature, .unsupportedAlgorithm),
        // Critical labels.
        ("d28448a20132028119ffffa0" + "4101" + signature, .unknownCriticalHeader),
        ("d28447a2013202816161a0" + "4101" + signature, .unknownCriticalHeader),
        ("d28446a20132028103a0" + "4101" + signature, .unknownCriticalHeader),
        ("d28446a20132028102a0" + "4101" + signature, .unknownCriticalHeader),
        ("d28446a20132028104a0" + "4101" + signature, .invalidCriticalHeader),
        ("d28445a201320280a0" + "4101" + signature, .invalidCriticalHeader),
        ("d28445a201320204a0" + "4101" + signature, .invalidCriticalHeader),
        ("d28446a201320281f6a0" + "4101" + signature, .invalidCriticalHeader),
        // The label in this list is known, but no reason for it is.
        ("d28446a20132028101a0" + "4101" + signature, .unexpectedHeader),
        // Labels.
        ("d28445a201320132a0" + "4101" + signature, .duplicateMapKey),
        ("d28446a20441010132a0" + "4101" + signature, .unsortedMapKeys),
        ("d28445a201320300a0" + "4101" + signature, .unexpectedHeader),
        ("d28447a20132616100a0" + "4101" + signature, .trailingBytes),
        ("d28446a20132616100a0" + "4101" + signature, .unexpectedHeader),
        ("d28445a20132f600a0" + "4101" + signature, .unexpectedType),
        ("d28445a201320400a0" + "4101" + signature, .unexpectedType),
        ("d284428101a0" + "4101" + signature, .unexpectedType),
        ("d284a10132a0" + "4101" + signature, .unexpectedType),
        ("d28443a1013280" + "4101" + signature, .unexpectedType),
        ("d28444a1013200a0" + "4101" + signature, .trailingBytes),
        // The frame.
        ("8443a10132a0" + "4101" + signature, .unexpectedType),
        ("d08443a10132a0" + "4101" + signature, .unexpectedTag),
        ("d2d28443a10132a0" + "4101" + signature, .unexpectedType),
        ("d28343a10132a0" + "4101", .unexpectedCount),
        ("d28543a10132a0" + "4101" + signature + "00", .unexpectedCount),
        ("d28443a10132a0" + "f6" + signature, .missingPayload),
        ("d28443a10132a0" + "6101" + signature, .unexpectedType),
        ("d28443a10132a0" + "4101" + "40", .unexpectedLength),
        ("d28443a10132a0" + "4101" + "5841" + String(repeating: "00", count: 65), .unexpectedLength),
    ])
    func `a wrong structure is refused by name`(hex: String, code: WireError.Code) {
        #expect(throws: WireError(code)) { try Sign1(decoding: [UInt8](hex: hex)) }
    }

    @Test func `the unchanged structure is accepted`() throws {
        let bytes = [UInt8](hex: "d28443a10132a0" + "4101" + Self.signature)
        #expect(try Sign1(decoding: bytes).payload == [1])
    }

    @Test func `a label in both headers is refused where unprotected ones are allowed`() {
        #expect(throws: WireError(.duplicateHeader)) {
            try Sign1(decoding: [UInt8](hex: "d28443a10126a10126" + "4101" + Self.signature), policy: .examples)
        }
        #expect(throws: WireError(.invalidCriticalHeader)) {
            try Sign1(decoding: [UInt8](hex: "d28443a10126a1028101" + "4101" + Self.signature), policy: .examples)
        }
    }
}
