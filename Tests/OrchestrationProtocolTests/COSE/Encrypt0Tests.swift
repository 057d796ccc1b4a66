import OrchestrationProtocol
import TestSupport
import Testing

@Suite struct Encrypt0Tests {
    static let tag = "50" + String(repeating: "00", count: 16)

    @Test func `a message is encoded and decoded again`() throws {
        let header = COSEHeader(
            algorithm: .a256GCM, parameters: [COSELabel.keyID: .bytes([1]), COSELabel.version: .unsigned(1)])
        let message = Encrypt0(header: header, ciphertext: [UInt8](repeating: 5, count: 17))
        let frame = "d083" + "4c" + "a3010304" + "4101" + "3a00010000" + "01" + "a0"
        #expect(message.encoded == [UInt8](hex: frame) + [0x51] + message.ciphertext)
        let received = try Encrypt0(decoding: message.encoded)
        #expect(received == message)
        #expect(received.header.algorithm == .a256GCM)
        #expect(try received.header.unsigned(COSELabel.version) == 1)
        #expect(try received.header.bytes(COSELabel.keyID, count: 1) == [1])
        let covered = "8368456e6372797074304c" + header.encoded.hex + "4109"
        #expect(received.additionalData(externalAAD: [9]).hex == covered)
        #expect(Encrypt0.additionalData(header: header, externalAAD: [9]) == received.additionalData(externalAAD: [9]))
    }

    @Test func `every flipped bit is refused or changes what the tag covers`() throws {
        let message = Encrypt0(
            header: COSEHeader(algorithm: .a256GCM, keyID: [1, 2]), ciphertext: [UInt8](repeating: 5, count: 20))
        for flipped in message.encoded.bitFlips {
            guard let other = try? Encrypt0(decoding: flipped) else { continue }
            #expect(other.encoded == flipped)
            #expect(
                other.ciphertext != message.ciphertext
                    || other.additionalData(externalAAD: []) != message.additionalData(externalAAD: []))
        }
        for truncated in message.encoded.truncations {
            #expect(throws: WireError.self) { try Encrypt0(decoding: truncated) }
        }
        #expect(throws: WireError(.trailingBytes)) { try Encrypt0(decoding: message.encoded + [0]) }
    }

    @Test func `parameters are refused when they are missing or of another kind`() {
        let header = COSEHeader(
            algorithm: .a256GCM,
            parameters: [
                COSELabel.keyID: .bytes([1]), COSELabel.suite: .unsigned(5), COSELabel.expiry: .unsigned(.max),
            ])
        #expect(throws: WireError(.missingHeader)) { try header.bytes(COSELabel.requestID, count: 16) }
        #expect(throws: WireError(.unexpectedLength)) { try header.bytes(COSELabel.keyID, count: 16) }
        #expect(throws: WireError(.unexpectedType)) { try header.bytes(COSELabel.suite, count: 1) }
        #expect(throws: WireError(.unexpectedType)) { try header.unsigned(COSELabel.keyID) }
        #expect(throws: WireError(.integerOutOfRange)) { try header.unsigned(COSELabel.suite, maximum: 4) }
        #expect(throws: WireError(.integerOutOfRange)) { try header.unsigned(COSELabel.expiry) }
        #expect(throws: WireError(.unexpectedHeader)) { try header.require(only: [COSELabel.algorithm]) }
    }

    @Test(arguments: [
        ("d08343a10103a1054101" + tag, WireError.Code.unprotectedHeader),
        ("d08340a0" + tag, .missingAlgorithm),
        ("d08343a10101a0" + tag, .unsupportedAlgorithm),
        ("d08343a10132a0" + tag, .unsupportedAlgorithm),
        ("d08345a201030103a0" + tag, .duplicateMapKey),
        ("d08348a20103028119ffffa0" + tag, .unknownCriticalHeader),
        ("d08346a20103054100a0" + tag, .unexpectedHeader),
        ("d28343a10103a0" + tag, .unexpectedTag),
        ("8343a10103a0" + tag, .unexpectedType),
        ("d08443a10103a0" + tag + "80", .unexpectedCount),
        ("d08343a10103a0" + "f6", .missingPayload),
        ("d08343a10103a0" + "4f" + String(repeating: "00", count: 15), .unexpectedLength),
    ])
    func `a wrong structure is refused by name`(hex: String, code: WireError.Code) {
        #expect(throws: WireError(code)) { try Encrypt0(decoding: [UInt8](hex: hex)) }
    }

    @Test func `the unchanged structure is accepted`() throws {
        #expect(throws: Never.self) { try Encrypt0(decoding: [UInt8](hex: "d08343a10103a0" + Self.tag)) }
    }
}
