internal import Primitives

/// One or more signatures over the same payload: an array of COSE_Sign1 messages, each in a byte string.
///
/// With a list, a signature of a later algorithm, such as ML-DSA-65, can be added to the Ed25519 signature without a
/// new format. A receiver verifies every signature whose algorithm it knows, and needs at least one of them. It does
/// not check the other signatures, but names their algorithms.
package struct SignatureList: Sendable, Hashable {
    /// The payload, which is the same in all signatures. It is not verified.
    package let payload: [UInt8]

    /// The signatures of known algorithms, at least one, in the order of the list.
    package let signatures: [Sign1]

    /// The algorithms of the other signatures, in the order of the list.
    package let uncheckedAlgorithms: [COSEAlgorithm]

    /// All messages, as received or sent.
    private let members: [[UInt8]]

    /// Creates a list of signatures that were made over the same payload.
    ///
    /// - Throws: ``WireError`` with `unexpectedCount` for no signatures or more than four, `invalidValue` for different
    ///   payloads.
    package init(_ signatures: [Sign1]) throws(WireError) {
        guard let payload = signatures.first?.payload, signatures.count <= FieldLimit.signatures else {
            throw WireError(.unexpectedCount, blame: .caller)
        }
        guard signatures.allSatisfy({ $0.payload == payload }) else { throw WireError(.invalidValue, blame: .caller) }
        self.payload = payload
        self.signatures = signatures
        uncheckedAlgorithms = []
        members = signatures.map(\.encoded)
    }

    /// Reads a list.
    ///
    /// - Throws: ``WireError`` with `unsupportedAlgorithm` when no algorithm is known, `invalidValue` for different
    ///   payloads, `unexpectedCount` for an empty list, `tooManyItems` for more than four signatures.
    package init(from reader: inout CBORReader) throws(WireError) {
        let start = reader.offset
        let count = try reader.readArray(maximum: FieldLimit.signatures)
        guard count > 0 else { throw WireError(.unexpectedCount, offset: start) }
        var (members, signatures, others): ([[UInt8]], [Sign1], [COSEAlgorithm]) = ([], [], [])
        var payload: [UInt8]?
        for _ in 0..<count {
            let memberStart = reader.offset
            let member = try reader.readBytes(maximum: FieldLimit.signedMessage)
            let message = try Self.message(member)
            guard payload == nil || payload == message.payload else {
                throw WireError(.invalidValue, offset: memberStart)
            }
            payload = message.payload
            members.append(member)
            if message.header.algorithm.isKnownSignature {
                signatures.append(message)
            } else {
                others.append(message.header.algorithm)
            }
        }
        guard let payload, !signatures.isEmpty else { throw WireError(.unsupportedAlgorithm, offset: start) }
        self.payload = payload
        self.signatures = signatures
        uncheckedAlgorithms = others
        self.members = members
    }

    /// Decodes a message whose algorithm may be unknown.
    private static func message(_ bytes: [UInt8]) throws(WireError) -> Sign1 {
        do throws(WireError) {
            return try Sign1(decoding: bytes, policy: .strict)
        } catch  where error.code == .unsupportedAlgorithm {
            var reader = CBORReader(bytes)
            try reader.readTag(Sign1.tag)
            try reader.readArray(count: 4)
            let header = try CBORValue(decoding: reader.readBytes())
            guard case .map(let parameters) = header,
                let number = parameters[.integer(COSELabel.algorithm)]?.integer
            else { throw error }
            var policy = COSEPolicy.strict
            policy.signatures[number] = COSEAlgorithm(rawValue: number)
            return try Sign1(decoding: bytes, policy: policy)
        }
    }
}

extension SignatureList: FieldwiseForm {
    package init(decoding bytes: [UInt8]) throws(WireError) {
        var reader = CBORReader(bytes)
        self = try SignatureList(from: &reader)
        try reader.finish()
    }

    package func write(to output: inout some CBOROutput) {
        output.array(members.count)
        for member in members { output.bytes(member) }
    }
}
