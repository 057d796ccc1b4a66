internal import OrchestrationProtocol
internal import Primitives

/// A field of a record that this version of the SDK does not know. A newer version wrote it.
package struct UnknownField: Sendable {
    /// The name, 1 to 64 bytes of UTF-8.
    let name: String

    /// The encoded value. It may be secret.
    let value: SecretBox<SecretBytes>
}

/// Reads the fields of a record by their names, in the order of the map.
///
/// Deterministic CBOR sorts the names of a map, and the caller asks for its fields in the same order. One pass is thus
/// enough, and no value is copied to be found again.
struct RecordFieldReader {
    /// The greatest number of fields that this version does not know.
    static let unknownLimit = 16

    /// A name with this first character must be understood. A version that does not know it refuses the record.
    static let criticalMark: Character = "!"

    /// The fields that were not asked for, in order.
    private(set) var unknown: [UnknownField] = []

    private var reader: CBORReader
    private var fieldsLeft: Int
    private var next: String?

    init(_ bytes: [UInt8]) throws(WireError) {
        reader = CBORReader(bytes)
        fieldsLeft = try reader.readMap()
        try readName()
    }

    /// Reads a field that every record has.
    mutating func require<Value>(
        _ field: RecordField, _ read: (inout CBORReader) throws(WireError) -> Value
    ) throws(WireError) -> Value {
        guard let value = try readIfPresent(field, read) else {
            throw WireError(.unexpectedCount, offset: reader.offset)
        }
        return value
    }

    /// Reads a field that a record may have.
    ///
    /// - Returns: The value; `nil` when the record has no such field.
    mutating func readIfPresent<Value>(
        _ field: RecordField, _ read: (inout CBORReader) throws(WireError) -> Value
    ) throws(WireError) -> Value? {
        while let name = next, RecordField.precedes(name, field.rawValue) { try keepUnknown(name) }
        guard next == field.rawValue else { return nil }
        let value = try read(&reader)
        try readName()
        return value
    }

    /// Reads what is left, which this version does not know, up to the end of the bytes.
    mutating func finish() throws(WireError) {
        while let name = next { try keepUnknown(name) }
        try reader.finish()
    }

    private mutating func keepUnknown(_ name: String) throws(WireError) {
        guard name.first != Self.criticalMark else { throw WireError(.unsupportedVersion, offset: reader.offset) }
        guard unknown.count < Self.unknownLimit else { throw WireError(.tooManyItems, offset: reader.offset) }
        var value = try reader.readEncodedItem()
        defer { value.wipe() }
        unknown.append(UnknownField(name: name, value: SecretBox(SecretBytes(copying: value.span))))
        try readName()
    }

    private mutating func readName() throws(WireError) {
        guard fieldsLeft > 0 else { return next = nil }
        fieldsLeft -= 1
        let start = reader.offset
        let name = try reader.readText(maximumBytes: 64)
        guard !name.isEmpty else { throw WireError(.invalidValue, offset: start) }
        next = name
    }
}

/// Writes the fields of a record with their names, in the order of deterministic CBOR. Unknown fields come at the
/// places where they were read.
struct RecordFieldWriter {
    private var writer: CBORWriter
    private var unknown: ArraySlice<UnknownField>

    init(fieldCount: Int, unknown: [UnknownField], capacity: Int) {
        writer = CBORWriter(capacity: capacity)
        self.unknown = unknown[...]
        writer.map(fieldCount + unknown.count)
    }

    /// Writes a field. The caller keeps the order of ``RecordField``.
    mutating func write(_ field: RecordField, _ body: (inout CBORWriter) -> Void) {
        while let other = unknown.first, RecordField.precedes(other.name, field.rawValue) { writeUnknown(other) }
        writer.text(field.rawValue)
        body(&writer)
    }

    /// Writes a field where it has a value.
    mutating func write<Value>(_ field: RecordField, _ value: Value?, _ body: (inout CBORWriter, Value) -> Void) {
        guard let value else { return }
        write(field) { body(&$0, value) }
    }

    /// Returns the record, after the unknown fields that are left.
    consuming func finish() -> [UInt8] {
        while let other = unknown.first { writeUnknown(other) }
        return writer.finish()
    }

    private mutating func writeUnknown(_ field: UnknownField) {
        unknown.removeFirst()
        writer.text(field.name)
        field.value.withBytes { writer.append($0) }
    }
}

/// The names of the fields of a user record, in the order of deterministic CBOR: shorter names first.
enum RecordField: String, CaseIterable {
    case cost, salt
    case state, suite
    case tenant
    case account, ratchet, serials
    case counters, deviceID
    case pinPolicy
    case deviceData, generation, possession
    case activatedAt, clockOffset
    case applications, capabilities, keyAlgorithm, maskedSecret, pendingUntil, presharedKey, ratchetIndex, ratchetInput
    case platformKeys = "!platformKeys"
    case notificationID, passwordHandle, ratchetMovedAt, replacedDevice
    case approvalAnswers, enrolledMethods

    /// Whether a name comes before another one in a map of deterministic CBOR (RFC 8949, section 4.2.1).
    static func precedes(_ name: String, _ other: String) -> Bool {
        let (count, otherCount) = (name.utf8.count, other.utf8.count)
        return count == otherCount ? name.utf8.lexicographicallyPrecedes(other.utf8) : count < otherCount
    }
}
