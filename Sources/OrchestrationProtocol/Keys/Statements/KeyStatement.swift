package import Primitives

/// The public keys of the platform, signed by one of its signing keys. Statements are numbered. Each is signed by a key
/// of the previous statement and contains the hash of that statement.
///
/// A value is the payload of the signatures. It is authentic only after its signatures are verified.
package struct KeyStatement: Sendable, Hashable {
    /// The number of the statement: 1 for the first, then incremented by one.
    package var sequence: UInt64

    /// The SHA-256 of the payload of the previous statement, 32 bytes; nil for the first.
    package var previous: [UInt8]?

    /// The time at which the statement was made, later than the time of the previous statement.
    package var time: Timestamp

    /// The keys in ascending order of their ids, each once: 1 to 16.
    package var keys: [StatedKey]

    package var extensions: Extensions

    package init(
        sequence: UInt64, previous: [UInt8]?, time: Timestamp, keys: [StatedKey], extensions: Extensions = .none
    ) {
        self.sequence = sequence
        self.previous = previous
        self.time = time
        self.keys = keys.sorted { $0.kid.lexicographicallyPrecedes($1.kid) }
        self.extensions = extensions
    }

    /// The external associated data of the signatures.
    package static let externalAAD = Array((ProtocolVersion.prefix + "key statement").utf8)
}

/// A public key in a statement.
package struct StatedKey: Sendable, Hashable {
    package enum Use: UInt64, Sendable {
        /// The platform signs with the key.
        case signing = 0
        /// Devices seal requests to the key.
        case sealing = 1
        /// The platform signs checkpoints of the audit log with the key, and nothing else.
        case audit = 2
    }

    /// The first 8 bytes of the SHA-256 of the key.
    package var kid: [UInt8]

    package var use: Use

    /// The COSE number of the algorithm of a signing or audit key, or the number of the suite of a sealing key. Unknown
    /// numbers are allowed, but such a key is not used.
    package var algorithm: Int64

    /// The public key in the form of its algorithm. A key of an unknown algorithm has 1 to 4,096 bytes.
    package var bytes: [UInt8]

    /// The time from which the key is in use.
    package var notBefore: Timestamp

    /// The time until which the key is in use; nil while no end is known.
    package var notAfter: Timestamp?

    package init(
        kid: [UInt8], use: Use, algorithm: Int64, bytes: [UInt8], notBefore: Timestamp, notAfter: Timestamp? = nil
    ) {
        self.kid = kid
        self.use = use
        self.algorithm = algorithm
        self.bytes = bytes
        self.notBefore = notBefore
        self.notAfter = notAfter
    }

    /// Whether a time is within the validity of the key, widened on both sides.
    ///
    /// - Parameter tolerance: In milliseconds.
    package func isValid(at time: Timestamp, tolerance: Int64 = 0) -> Bool {
        guard time.advanced(milliseconds: tolerance) >= notBefore else { return false }
        return notAfter.map { time.advanced(milliseconds: -tolerance) <= $0 } ?? true
    }
}

extension KeyStatement: FieldwiseForm {
    package init(decoding bytes: [UInt8]) throws(WireError) {
        var reader = CBORReader(bytes)
        self = try KeyStatement(from: &reader)
        try reader.finish()
    }

    /// Reads a statement.
    ///
    /// - Throws: ``WireError`` with `integerOutOfRange` for the number 0, `invalidValue` for a hash in statement 1 or
    ///   none in another, for keys that are not in order or that end before they begin, and the errors of a field
    ///   outside its limits.
    package init(from reader: inout CBORReader) throws(WireError) {
        try reader.readArray(count: 5)
        let start = reader.offset
        sequence = try reader.readNumber()
        guard sequence > 0 else { throw WireError(.integerOutOfRange, offset: start) }
        let previousStart = reader.offset
        previous = try reader.readIfNull() ? nil : reader.readBytes(count: FieldSize.hash)
        guard (previous == nil) == (sequence == 1) else { throw WireError(.invalidValue, offset: previousStart) }
        time = try reader.readTime()
        let listStart = reader.offset
        let count = try reader.readArray(maximum: FieldLimit.statedKeys)
        guard count > 0 else { throw WireError(.unexpectedCount, offset: listStart) }
        keys = []
        for _ in 0..<count {
            let keyStart = reader.offset
            let key = try StatedKey(from: &reader)
            if let last = keys.last, !last.kid.lexicographicallyPrecedes(key.kid) {
                throw WireError(.invalidValue, offset: keyStart)
            }
            keys.append(key)
        }
        extensions = try Extensions(from: &reader)
    }

    package func write(to output: inout some CBOROutput) {
        output.array(5)
        output.unsigned(sequence)
        if let previous { output.bytes(previous) } else { output.null() }
        output.time(time)
        output.array(keys.count)
        for key in keys { key.write(to: &output) }
        extensions.write(to: &output)
    }
}

extension StatedKey {
    init(from reader: inout CBORReader) throws(WireError) {
        try reader.readArray(count: 6)
        kid = try reader.readBytes(count: FieldSize.keyID)
        let useStart = reader.offset
        guard let use = Use(rawValue: try reader.readUnsigned()) else {
            throw WireError(.invalidValue, offset: useStart)
        }
        self.use = use
        algorithm = try reader.readInteger()
        let start = reader.offset
        bytes =
            if let count = Self.byteCount(of: algorithm, for: use) {
                try reader.readBytes(count: count)
            } else {
                try reader.readBytes(maximum: FieldLimit.statedKey)
            }
        guard !bytes.isEmpty else { throw WireError(.empty, offset: start) }
        notBefore = try reader.readTime()
        let end = reader.offset
        notAfter = try reader.readIfNull() ? nil : reader.readTime()
        if let notAfter, notAfter < notBefore { throw WireError(.invalidValue, offset: end) }
    }

    func write(to output: inout some CBOROutput) {
        output.array(6)
        output.bytes(kid)
        output.unsigned(use.rawValue)
        output.integer(algorithm)
        output.bytes(bytes)
        output.time(notBefore)
        if let notAfter { output.time(notAfter) } else { output.null() }
    }

    /// Returns the length of a key of a known algorithm; nil for an unknown one.
    private static func byteCount(of algorithm: Int64, for use: Use) -> Int? {
        switch (use, algorithm) {
        case (.signing, COSEAlgorithm.ed25519.rawValue), (.audit, COSEAlgorithm.ed25519.rawValue): FieldSize.ed25519Key
        case (.sealing, 1): FieldSize.share
        case (.sealing, Int64(ActivationOffer.hybridSuite)): FieldSize.hybridKey
        case (.signing, _), (.sealing, _), (.audit, _): nil
        }
    }
}
