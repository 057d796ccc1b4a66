/// The last member of a signed message or of a sealed activation body: data that a later version of the protocol adds.
///
/// Extensions are a map with integer keys, which is empty unless a sender adds something. A receiver ignores a key that
/// it does not know when the key is 0 or more. It refuses the whole message when the key is negative, because the
/// sender relies on what such a key means. This version knows the keys of device data. They are not negative.
///
/// A receiver keeps the pairs that it ignores, because a received message must keep the encoding that was signed.
package struct Extensions: Sendable, Hashable {
    private var values: COSEParameters

    /// No extensions, which is one byte on the wire.
    package static let none = Extensions([])

    /// Creates extensions from pairs. If two pairs have the same key, the later one is used.
    package init(_ pairs: [(key: Int64, value: CBORValue)]) {
        values = COSEParameters()
        for (key, value) in pairs { values[key] = value }
    }

    package var isEmpty: Bool { values.isEmpty }

    /// The value under a key.
    package subscript(key: Int64) -> CBORValue? { values[key] }

    /// The keys below 0 that this version knows.
    private static let knownCriticalKeys: Set<Int64> = []

    /// Reads the map.
    ///
    /// - Throws: ``WireError`` with `unknownCriticalExtension` for a key below 0 that this version does not know,
    ///   `tooManyItems` for more than 16 pairs, `tooLarge` for more than 4,608 bytes, and `unexpectedType` for a key
    ///   that is not an integer.
    @inline(__always)
    init(from reader: inout CBORReader) throws(WireError) {
        // Most messages have no extensions.
        self = .none
        if try !reader.readIfEmptyMap() { try read(from: &reader) }
    }

    private mutating func read(from reader: inout CBORReader) throws(WireError) {
        let start = reader.offset
        let count = try reader.readMap()
        guard count <= FieldLimit.extensions else { throw WireError(.tooManyItems, offset: start) }
        for _ in 0..<count {
            let keyStart = reader.offset
            let key = try reader.readInteger()
            guard key >= 0 || Self.knownCriticalKeys.contains(key) else {
                throw WireError(.unknownCriticalExtension, offset: keyStart)
            }
            values[key] = try reader.readValue()
        }
        guard reader.offset - start <= FieldLimit.extensionBytes else { throw WireError(.tooLarge, offset: start) }
    }

    @inline(__always)
    func write(to output: inout some CBOROutput) {
        if values.isEmpty { output.map(0) } else { values.write(to: &output) }
    }
}

extension Extensions: ExpressibleByDictionaryLiteral {
    package init(dictionaryLiteral elements: (Int64, CBORValue)...) {
        self.init(elements.map { (key: $0.0, value: $0.1) })
    }
}
