/// A protected header: its parameters, and the bytes that signatures and tags cover.
///
/// The bytes are the received bytes, never a new encoding. A list of critical labels (RFC 9052, section 3.1) is checked
/// when it is received and never sent: this library refuses each unknown label, critical or not.
package struct COSEHeader: Sendable, Hashable {
    /// The encoded map as it is in the message.
    package let encoded: [UInt8]

    /// The parameters by label.
    package let parameters: COSEParameters

    package let algorithm: COSEAlgorithm

    /// Creates a header to send.
    package init(algorithm: COSEAlgorithm, parameters: COSEParameters = [:]) {
        var parameters = parameters
        parameters[COSELabel.algorithm] = .integer(algorithm.rawValue)
        self.encoded = parameters.written
        self.parameters = parameters
        self.algorithm = algorithm
    }

    /// Creates a header to send, with an optional key id.
    package init(algorithm: COSEAlgorithm, keyID: [UInt8]?) {
        self.init(algorithm: algorithm, parameters: keyID.map { [COSELabel.keyID: .bytes($0)] } ?? [:])
    }

    init(encoded: [UInt8], parameters: COSEParameters, algorithm: COSEAlgorithm) {
        self.encoded = encoded
        self.parameters = parameters
        self.algorithm = algorithm
    }

    /// The id of the key to use (label 4).
    package var keyID: [UInt8]? {
        guard case .bytes(let bytes)? = parameters[COSELabel.keyID] else { return nil }
        return bytes
    }

    /// The header as it appears in a Sig_structure or Enc_structure: an empty map, which is the only map of one byte,
    /// becomes an empty string (RFC 9052, sections 4.4 and 5.3).
    var covered: [UInt8] {
        encoded.count == 1 ? [] : encoded
    }
}

// Typed access for messages with a fixed set of parameters.
extension COSEHeader {
    /// Refuses labels other than these.
    package func require(only labels: [Int64]) throws(WireError) {
        guard parameters.labels.allSatisfy(labels.contains) else { throw WireError(.unexpectedHeader) }
    }

    /// Returns a byte string of exactly this length.
    package func bytes(_ label: Int64, count: Int) throws(WireError) -> [UInt8] {
        guard case .bytes(let bytes) = try value(label) else { throw WireError(.unexpectedType) }
        guard bytes.count == count else { throw WireError(.unexpectedLength) }
        return bytes
    }

    /// Returns an unsigned integer up to a limit.
    package func unsigned(_ label: Int64, maximum: UInt64 = UInt64(Int64.max)) throws(WireError) -> UInt64 {
        guard case .unsigned(let number) = try value(label) else { throw WireError(.unexpectedType) }
        guard number <= maximum else { throw WireError(.integerOutOfRange) }
        return number
    }

    private func value(_ label: Int64) throws(WireError) -> CBORValue {
        guard let value = parameters[label] else { throw WireError(.missingHeader) }
        return value
    }
}

/// An algorithm, by its number in the IANA registry of COSE algorithms.
///
/// All are fully specified (RFC 9864): the number determines curve and hash, and a key cannot be used with others.
package struct COSEAlgorithm: RawRepresentable, Sendable, Hashable {
    package let rawValue: Int64

    package init(rawValue: Int64) { self.rawValue = rawValue }

    /// EdDSA with Ed25519, the signature of the platform.
    package static let ed25519 = COSEAlgorithm(rawValue: -19)

    /// ECDSA with P-256 and SHA-256, the signature of a device.
    package static let esp256 = COSEAlgorithm(rawValue: -9)

    /// ML-DSA-65 (RFC 9964). This library knows its name but does not verify its signatures.
    package static let mlDSA65 = COSEAlgorithm(rawValue: -49)

    /// Whether this library verifies signatures of the algorithm.
    var isKnownSignature: Bool { self == .ed25519 || self == .esp256 }

    /// AES-GCM with a 256-bit key and a 128-bit tag.
    package static let a256GCM = COSEAlgorithm(rawValue: 3)
}

extension COSEAlgorithm: CustomStringConvertible {
    /// The name in the registry, or the number of an algorithm that this library does not know.
    package var description: String {
        switch self {
        case .ed25519: "Ed25519"
        case .esp256: "ESP256"
        case .mlDSA65: "ML-DSA-65"
        case .a256GCM: "A256GCM"
        default: "unknown(\(rawValue))"
        }
    }
}

/// The labels of the header parameters (RFC 9052, section 3.1). The labels of the protocol are in the range for private
/// use.
package enum COSELabel {
    package static let algorithm: Int64 = 1
    package static let critical: Int64 = 2
    package static let keyID: Int64 = 4

    package static let version: Int64 = -65_537
    package static let suite: Int64 = -65_538
    package static let encapsulatedKey: Int64 = -65_539
    package static let requestID: Int64 = -65_540
    package static let expiry: Int64 = -65_541
    package static let platformKeyID: Int64 = -65_542
    package static let answerRandom: Int64 = -65_543
    package static let requestHash: Int64 = -65_544
    package static let requestRandom: Int64 = -65_545

    static let known: [Int64] = [
        algorithm, keyID, version, suite, encapsulatedKey, requestID, expiry, platformKeyID, answerRandom,
        requestHash, requestRandom,
    ]
}
