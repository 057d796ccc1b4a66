import Foundation
import OrchestrationProtocol
import TestSupport

/// One file of the examples of the COSE working group, with the fields that these tests read.
struct COSEExample: Decodable, Sendable {
    struct Key: Decodable, Sendable {
        let crv: String?
        let x: String?
        let y: String?
        let x_hex: String?
    }

    struct Message: Decodable, Sendable {
        let key: Key?
        let external: String?
    }

    struct Input: Decodable, Sendable {
        let plaintext: String
        let sign0: Message?
        let encrypted: Message?
    }

    struct Intermediates: Decodable, Sendable {
        let ToBeSign_hex: String?
        let AAD_hex: String?
        let CEK_hex: String?
    }

    struct Output: Decodable, Sendable {
        let cbor: String
    }

    let fail: Bool?
    let input: Input
    let intermediates: Intermediates
    let output: Output

    static func named(_ name: String) throws -> COSEExample {
        try Vectors.decode(COSEExample.self, "cose/\(name).json")
    }

    var bytes: [UInt8] { [UInt8](hex: output.cbor) }

    var mustFail: Bool { fail ?? false }

    /// The external associated data.
    var external: [UInt8] { [UInt8](hex: (input.sign0 ?? input.encrypted)?.external ?? "") }

    /// The key as we store it: 32 bytes of Ed25519, or a compressed point of P-256.
    var publicKey: [UInt8]? {
        guard let key = input.sign0?.key else { return nil }
        if let hex = key.x_hex { return [UInt8](hex: hex) }
        guard let x = key.x.flatMap(Self.base64URL), let y = key.y.flatMap(Self.base64URL), let last = y.last else {
            return nil
        }
        return [2 | last & 1] + x
    }

    private static func base64URL(_ text: String) -> [UInt8]? {
        let padded = text.replacing("-", with: "+").replacing("_", with: "/")
        let missing = String(repeating: "=", count: (4 - padded.count % 4) % 4)
        return Data(base64Encoded: padded + missing).map { [UInt8]($0) }
    }
}

extension COSEPolicy {
    /// A policy for the examples, which have unprotected headers, polymorphic algorithm ids and short keys.
    static let examples = COSEPolicy(
        signatures: [-7: .esp256, -8: .ed25519],
        ciphers: [1: COSEAlgorithm(rawValue: 1), 2: COSEAlgorithm(rawValue: 2), 3: .a256GCM],
        allowsUnprotectedHeaders: true, ignoresUnknownLabels: true, allowsMissingTag: true)
}
