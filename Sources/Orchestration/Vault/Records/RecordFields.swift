internal import OrchestrationProtocol
internal import Primitives

/// A field of a record that this version of the SDK does not know. A newer version wrote it.
package struct UnknownField: Sendable {
    /// The name, 1 to 64 bytes of UTF-8.
    let name: String

    /// The encoded value. It may be secret.
    let value: SecretBox<SecretBytes>
}

/// One direction in which the fields of a record are coded, in the order of deterministic CBOR.
protocol RecordFields {
    associatedtype Failure: Error

    /// Codes a field that every record contains, and returns its value.
    mutating func code<Value>(
        _ name: String, _ value: (UserRecord) -> Value, _ form: RecordForm<Value>
    ) throws(Failure) -> Value

    /// Codes a field that a record may contain, and returns its value.
    mutating func codeIfPresent<Value>(
        _ name: String, _ value: (UserRecord) -> Value?, _ form: RecordForm<Value>
    ) throws(Failure) -> Value?
}

extension RecordFields {
    /// Codes a field that a record contains where its value is not the default, and returns its value.
    mutating func code<Value: Equatable>(
        _ name: String, _ value: (UserRecord) -> Value, _ form: RecordForm<Value>, default: Value
    ) throws(Failure) -> Value {
        try codeIfPresent(name, { value($0) == `default` ? nil : value($0) }, form) ?? `default`
    }
}

/// Reads the fields of a record by their names, in the order of the map.
///
/// Deterministic CBOR sorts the names of a map, and the caller asks for its fields in the same order. One pass is
/// therefore enough, and no value needs to be copied for a later lookup.
struct RecordFieldReader: RecordFields {
    /// The maximum number of fields that this version does not know.
    static let unknownLimit = 16

    /// A name with this first character must be understood. A version that does not know it refuses the record.
    static let criticalMark: Character = "!"

    private var reader: CBORReader
    private var fieldsLeft: Int
    private var next: String?
    /// The fields that were not asked for, in order.
    private var unknown: [UnknownField] = []

    init(_ bytes: [UInt8]) throws(WireError) {
        reader = CBORReader(bytes)
        fieldsLeft = try reader.readMap()
        try readName()
    }

    mutating func code<Value>(
        _ name: String, _: (UserRecord) -> Value, _ form: RecordForm<Value>
    ) throws(WireError) -> Value {
        guard let value = try codeIfPresent(name, { _ in nil }, form) else {
            throw WireError(.unexpectedCount, offset: reader.offset)
        }
        return value
    }

    mutating func codeIfPresent<Value>(
        _ name: String, _: (UserRecord) -> Value?, _ form: RecordForm<Value>
    ) throws(WireError) -> Value? {
        while let other = next, precedes(other, name) { try keepUnknown(other) }
        guard next == name else { return nil }
        let value = try form.read(&reader)
        try readName()
        return value
    }

    /// Reads the remaining fields, up to the end of the bytes.
    ///
    /// - Returns: The fields that this version does not know.
    mutating func finish() throws(WireError) -> [UnknownField] {
        while let name = next { try keepUnknown(name) }
        try reader.finish()
        return unknown
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

/// Writes the fields of a record with their names. Unknown fields come at the places where they were read.
struct RecordFieldWriter: RecordFields {
    typealias Failure = Never

    private let record: UserRecord
    private var fields: [(name: String, write: (inout CBORWriter) -> Void)]

    init(_ record: UserRecord) {
        self.record = record
        fields = record.unknownFields.map { field in
            (field.name, { writer in field.value.withBytes { writer.append($0) } })
        }
    }

    mutating func code<Value>(
        _ name: String, _ value: (UserRecord) -> Value, _ form: RecordForm<Value>
    ) -> Value {
        let value = value(record)
        fields.append((name, { form.write(&$0, value) }))
        return value
    }

    mutating func codeIfPresent<Value>(
        _ name: String, _ value: (UserRecord) -> Value?, _ form: RecordForm<Value>
    ) -> Value? {
        guard let value = value(record) else { return nil }
        return code(name, { _ in value }, form)
    }

    /// Returns the record.
    ///
    /// - Parameter capacity: The length of the longest record. Memory that the writer outgrows is not wiped.
    func encoded(capacity: Int) -> [UInt8] {
        var writer = CBORWriter(capacity: capacity)
        writer.map(fields.count)
        for field in fields.sorted(by: { precedes($0.name, $1.name) }) {
            writer.text(field.name)
            field.write(&writer)
        }
        return writer.finish()
    }
}

/// Whether a name comes before another one in a map of deterministic CBOR (RFC 8949, section 4.2.1).
private func precedes(_ name: String, _ other: String) -> Bool {
    let (count, otherCount) = (name.utf8.count, other.utf8.count)
    return count == otherCount ? name.utf8.lexicographicallyPrecedes(other.utf8) : count < otherCount
}
