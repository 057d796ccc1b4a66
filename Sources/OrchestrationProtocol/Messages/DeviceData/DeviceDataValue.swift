internal import Primitives

/// A value of the device data.
@nonexhaustive
public enum DeviceDataValue: Sendable, Hashable {
    case text(String)
    case integer(Int64)
    case boolean(Bool)
    case texts([String])
    /// The keyed hash of a value, 16 bytes, instead of the value.
    case hash([UInt8])

    /// The value, as a policy reads it; `nil` for a hash and for a list.
    package var policyText: String? {
        switch self {
        case .text(let text): text
        case .integer(let number): "\(number)"
        case .boolean(let value): "\(value)"
        case .texts, .hash: nil
        }
    }
}

/// The form that the value of a field must have.
enum DeviceDataForm: Sendable {
    case text(maximumBytes: Int)
    case integer(ClosedRange<Int64>)
    case boolean
    case texts
    case date
    case uptime

    /// The maximum number of texts of a list, and the maximum number of bytes of each.
    static let listCount = 16
    static let listTextBytes = 32

    /// The number of bytes of a keyed hash.
    static let hashBytes = 16

    /// Whether the value is a list of texts, which policies do not read.
    var isList: Bool {
        if case .texts = self { true } else { false }
    }

    /// Returns the rule that a value breaks; `nil` if it has this form.
    func problem(of value: DeviceDataValue) -> WireError.Code? {
        switch (self, value) {
        case (_, .hash(let bytes)): bytes.count == Self.hashBytes ? nil : .unexpectedLength
        case (.text(let maximum), .text(let text)): Self.problem(of: text, maximumBytes: maximum)
        case (.texts, .texts(let texts)): Self.problem(of: texts)
        case (.boolean, .boolean): nil
        case (.integer(let range), .integer(let number)): range.contains(number) ? nil : .integerOutOfRange
        case (.uptime, .integer(let number)): DeviceDataField.uptimes.contains(number) ? nil : .invalidValue
        case (.date, .text(let text)): Self.isDate(text) ? nil : .invalidValue
        case (.text, _), (.texts, _), (.boolean, _), (.integer, _), (.uptime, _), (.date, _): .unexpectedType
        }
    }

    /// Returns the rule that a value of an unknown field breaks.
    static func problemOfUnknown(_ value: DeviceDataValue) -> WireError.Code? {
        switch value {
        case .hash(let bytes): bytes.count == hashBytes ? nil : .unexpectedLength
        case .text(let text): problem(of: text, maximumBytes: FieldLimit.deviceDataText)
        case .texts(let texts): problem(of: texts)
        case .boolean, .integer: nil
        }
    }

    /// Returns the rule that a text breaks.
    static func problem(of text: String, maximumBytes: Int) -> WireError.Code? {
        guard !text.isEmpty else { return .empty }
        guard text.utf8.count <= maximumBytes else { return .tooLarge }
        return DisplayText.hasAllowedCharacters(text) ? nil : .invalidValue
    }

    private static func problem(of texts: [String]) -> WireError.Code? {
        guard !texts.isEmpty else { return .empty }
        guard texts.count <= listCount else { return .tooManyItems }
        return texts.lazy.compactMap { problem(of: $0, maximumBytes: listTextBytes) }.first
    }

    /// Returns whether a text is `YYYY-MM-DD`, with a month of 1–12 and a day of 1–31.
    private static func isDate(_ text: String) -> Bool {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        guard text.utf8.count == 10, parts.map(\.utf8.count) == [4, 2, 2],
            parts.allSatisfy({ $0.utf8.allSatisfy { (0x30...0x39).contains($0) } }),
            let month = Int(parts[1]), let day = Int(parts[2])
        else { return false }
        return (1...12).contains(month) && (1...31).contains(day)
    }
}

extension DeviceDataValue {
    /// Reads a value of any type. Its form is checked together with its field.
    init(from reader: inout CBORReader) throws(WireError) {
        let start = reader.offset
        switch try reader.peekType() {
        case .unsigned, .negative: self = .integer(try reader.readInteger())
        case .bytes: self = .hash(try reader.readBytes(maximum: FieldLimit.deviceDataText))
        case .text: self = .text(try reader.readText(maximumBytes: FieldLimit.deviceDataText))
        case .array:
            let count = try reader.readArray(maximum: DeviceDataForm.listCount)
            var texts: [String] = []
            for _ in 0..<count { texts.append(try reader.readText(maximumBytes: DeviceDataForm.listTextBytes)) }
            self = .texts(texts)
        case .simple:
            guard try !reader.readIfNull() else { throw WireError(.unexpectedType, offset: start) }
            self = .boolean(try reader.readBoolean())
        case .map, .tag: throw WireError(.unexpectedType, offset: start)
        }
    }

    func write(to output: inout some CBOROutput) {
        switch self {
        case .text(let text): output.text(text)
        case .integer(let number): output.integer(number)
        case .boolean(let value): output.boolean(value)
        case .hash(let bytes): output.bytes(bytes)
        case .texts(let texts):
            output.array(texts.count)
            for text in texts { output.text(text) }
        }
    }

    /// The input of the keyed hash: CBOR `[number, value]`.
    package func hashInput(of field: DeviceDataField) -> [UInt8] {
        var writer = CBORWriter(capacity: 64)
        writer.array(2)
        writer.unsigned(field.rawValue)
        write(to: &writer)
        return writer.finish()
    }
}
