/// A protected header: its parameters, and the bytes that signatures and tags cover.
///
/// The bytes are those that were received and never a re-encoding. The list of critical labels (RFC 9052 §3.1) is
/// checked and not sent: a receiver of ours refuses every label that it does not know, critical or not.
package struct COSEHeader: Sendable, Hashable {
    /// The encoded map as it stands in the message.
    package let encoded: [UInt8]

    /// The parameters by label.
    package let parameters: COSEParameters

    package let algorithm: COSEAlgorithm

    /// Makes a header of our own.
    package init(algorithm: COSEAlgorithm, parameters: COSEParameters = [:]) {
        var parameters = parameters
        parameters[COSELabel.algorithm] = .integer(algorithm.rawValue)
        self.encoded = parameters.written
        self.parameters = parameters
        self.algorithm = algorithm
    }

    /// Makes a header with a key id, where there is one.
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

    /// What stands in a Sig_structure or Enc_structure: an empty map, which is the only one of one byte, becomes an empty
    /// string (RFC 9052 §4.4, §5.3).
    var covered: [UInt8] {
        encoded.count == 1 ? [] : encoded
    }
}
