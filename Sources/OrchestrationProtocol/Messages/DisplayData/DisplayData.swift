internal import Primitives

/// The data of an approval request that the user sees: up to 16 checked fields in their order.
///
/// - Each text is in Unicode normalization form C. It contains no control characters, line separators, characters that
///   are not shown, or characters that change the direction of writing. It contains a visible character, unless it may
///   be empty. Its length is counted in code points. <doc:Approvals> lists the characters.
/// - An amount is followed by its currency, and has no more decimal places than that currency. Neither occurs without
///   the other.
/// - Each type but ``DisplayField/text(_:)`` and ``DisplayField/field(label:value:)`` occurs at most once.
/// - All fields together have at most 4,096 bytes as deterministic CBOR.
public struct DisplayData: Sendable, Hashable {
    /// The maximum number of fields.
    public static let maximumFieldCount = FieldLimit.displayFields

    /// The fields in the order in which they are shown.
    public let fields: [DisplayField]

    /// No fields.
    public static let empty = DisplayData(checked: [])

    /// Creates display data.
    ///
    /// - Parameter fields: At most 16 fields.
    /// - Throws: ``DisplayDataError`` with the rule that is broken and, where it is about one field, its index.
    public init(_ fields: [DisplayField]) throws(DisplayDataError) {
        guard fields.count <= Self.maximumFieldCount else { throw DisplayDataError(.tooManyFields) }
        try Self.check(fields)
        self.init(checked: fields)
        guard written.count <= FieldLimit.displayBytes else { throw DisplayDataError(.tooLarge) }
    }

    private init(checked fields: [DisplayField]) { self.fields = fields }

    /// Whether this version can show every field. It can, unless a field is of an unknown type that cannot be shown.
    package var isDisplayable: Bool {
        fields.allSatisfy { field in
            guard case .unknown(let field) = field else { return true }
            return field.value != nil
        }
    }

    private static func check(_ fields: [DisplayField]) throws(DisplayDataError) {
        var types: Set<UInt64> = []
        for (index, field) in fields.enumerated() {
            if let problem = field.problem { throw DisplayDataError(problem, in: field, at: index) }
            guard types.insert(field.type).inserted || field.isRepeatable else {
                throw DisplayDataError(.duplicateType, in: field, at: index)
            }
            switch field {
            case .amount(let amount):
                guard index + 1 < fields.count, case .currency(let currency) = fields[index + 1] else {
                    throw DisplayDataError(.unpairedAmount, in: field, at: index)
                }
                guard amount.decimalPlaces <= currency.decimalPlaces else {
                    throw DisplayDataError(.tooManyDecimalPlaces, in: field, at: index)
                }
            case .currency:
                guard index > 0, case .amount = fields[index - 1] else {
                    throw DisplayDataError(.unpairedAmount, in: field, at: index)
                }
            case .text, .field, .creditor, .creditorAccount, .remittance, .time, .requester, .place, .unknown: break
            }
        }
    }
}

extension DisplayField {
    fileprivate var isRepeatable: Bool {
        switch self {
        case .text, .field, .unknown: true
        case .amount, .currency, .creditor, .creditorAccount, .remittance, .time, .requester, .place: false
        }
    }
}

extension DisplayData: CBOREncodable {
    /// Reads the array of the fields.
    ///
    /// - Throws: ``WireError`` with `tooManyItems` for more than 16 fields, `tooLarge` for more than 4,096 bytes, and
    ///   `invalidValue` for the faults that ``DisplayDataError`` describes.
    init(from reader: inout CBORReader) throws(WireError) {
        let start = reader.offset
        let count = try reader.readArray(maximum: FieldLimit.displayFields)
        var fields: [DisplayField] = []
        var offsets: [Int] = []
        for _ in 0..<count {
            let fieldStart = reader.offset
            fields.append(try DisplayField(decoding: reader.readEncodedItem(), at: fieldStart))
            offsets.append(fieldStart)
        }
        guard reader.offset - start <= FieldLimit.displayBytes else { throw WireError(.tooLarge, offset: start) }
        do throws(DisplayDataError) {
            try Self.check(fields)
        } catch {
            throw WireError(.invalidValue, offset: error.index.map { offsets[$0] } ?? start)
        }
        self.init(checked: fields)
    }

    package func write(to output: inout some CBOROutput) {
        output.array(fields.count)
        for field in fields { field.write(to: &output) }
    }
}
