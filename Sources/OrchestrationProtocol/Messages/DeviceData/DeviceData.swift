internal import Crypto

/// The data that a device reports about itself: 1 to 64 fields by number, at most 4,096 bytes.
///
/// The fields are the cases of ``DeviceDataField`` and, in data of a newer version, others. Values are checked: each
/// has the form of its field, and no text contains a control character.
package struct DeviceData: Sendable, Hashable {
    /// The values by the number of their field.
    package let values: [UInt64: DeviceDataValue]

    /// The encoding.
    package let encoded: [UInt8]

    /// Creates data from fields.
    ///
    /// - Throws: ``DeviceDataError``, which names the first field, in numeric order, that is wrong or exceeds a limit.
    package init(_ values: [DeviceDataField: DeviceDataValue]) throws(DeviceDataError) {
        try self.init(numbered: Dictionary(uniqueKeysWithValues: values.map { ($0.key.rawValue, $0.value) }))
    }

    /// Creates data from fields by their number. This version may not know all of them.
    ///
    /// - Throws: As ``init(_:)``.
    package init(numbered values: [UInt64: DeviceDataValue]) throws(DeviceDataError) {
        guard !values.isEmpty else { throw DeviceDataError(.empty, field: nil) }
        var checked: [UInt64: DeviceDataValue] = [:]
        for (number, value) in values.sorted(by: { $0.key < $1.key }) {
            if let problem = Self.problem(of: value, in: number) { throw DeviceDataError(problem, field: number) }
            checked[number] = value
            guard checked.count <= FieldLimit.deviceDataFields else {
                throw DeviceDataError(.tooManyItems, field: number)
            }
            guard Self.encoding(of: checked).count <= FieldLimit.deviceData else {
                throw DeviceDataError(.tooLarge, field: number)
            }
        }
        self.values = checked
        encoded = Self.encoding(of: checked)
    }

    /// The value of a field.
    package subscript(field: DeviceDataField) -> DeviceDataValue? { values[field.rawValue] }

    /// The SHA-256 of the encoding, 32 bytes.
    package var hash: [UInt8] { Array(SHA256.hash(data: encoded)) }

    /// The values that a policy reads, by field name.
    package var policyValues: [String: String] {
        var texts: [String: String] = [:]
        for field in DeviceDataField.allCases { texts[field.name] = self[field]?.policyText }
        return texts
    }

    private static func problem(of value: DeviceDataValue, in number: UInt64) -> WireError.Code? {
        guard number <= FieldLimit.number else { return .integerOutOfRange }
        guard let field = DeviceDataField(rawValue: number) else { return DeviceDataForm.problemOfUnknown(value) }
        return field.form.problem(of: value)
    }

    private static func encoding(of values: [UInt64: DeviceDataValue]) -> [UInt8] {
        var writer = CBORWriter(capacity: 512)
        writer.map(values.count)
        for (number, value) in values.sorted(by: { $0.key < $1.key }) {
            writer.unsigned(number)
            value.write(to: &writer)
        }
        return writer.finish()
    }
}

extension DeviceData: WireForm {
    package init(decoding bytes: [UInt8]) throws(WireError) {
        do throws(DeviceDataError) {
            try self.init(reading: bytes)
        } catch {
            throw WireError(error.code)
        }
    }

    /// Decodes data.
    ///
    /// - Throws: ``DeviceDataError``, which names the field at which decoding ended.
    package init(reading bytes: [UInt8]) throws(DeviceDataError) {
        var field: UInt64?
        var values: [UInt64: DeviceDataValue] = [:]
        do throws(WireError) {
            var reader = CBORReader(bytes)
            let count = try reader.readMap()
            guard count > 0 else { throw WireError(.empty) }
            guard count <= FieldLimit.deviceDataFields else { throw WireError(.tooManyItems) }
            for _ in 0..<count {
                let number = try reader.readNumber()
                field = number
                let value = try DeviceDataValue(from: &reader)
                if let problem = Self.problem(of: value, in: number) { throw WireError(problem) }
                values[number] = value
            }
            field = nil
            try reader.finish()
            guard bytes.count <= FieldLimit.deviceData else { throw WireError(.tooLarge) }
        } catch {
            throw DeviceDataError(error.code, field: field)
        }
        self.values = values
        encoded = bytes
    }
}

/// The error for values that are not device data. It names the field and contains no value.
package struct DeviceDataError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The rule that is broken.
    package let code: WireError.Code

    /// The number of the field; `nil` for an error about all fields.
    package let field: UInt64?

    package init(_ code: WireError.Code, field: UInt64?) {
        self.code = code
        self.field = field
    }

    /// The rule and the field. Safe to log.
    package var description: String {
        guard let field else { return "\(code)" }
        return "\(code) in field \(DeviceDataField(rawValue: field)?.name ?? String(field))"
    }
}
