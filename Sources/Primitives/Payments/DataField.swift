/// A field of a local transaction: a value that the user signs, and the label with which the app shows it.
///
/// Both are signed. The platform verifies a signature over the same fields. An application server therefore names
/// exactly the labels that the app shows, or both use none. Neither printing nor reflection shows the texts.
public struct DataField: Sendable, Hashable, Redacted {
    /// The maximum number of fields of a transaction.
    public static let maximumCount = 8

    /// The maximum number of characters of a value and of a label.
    public static let maximumCharacters = 16

    /// The maximum number of bytes of UTF-8 of a value and of a label.
    public static let maximumBytes = 64

    /// The label, or `nil` for a field that its position alone identifies: 1 to ``maximumCharacters`` characters and at
    /// most ``maximumBytes`` bytes, as for ``value``.
    public let label: String?

    /// The value: 1 to ``maximumCharacters`` characters and at most ``maximumBytes`` bytes of UTF-8 in Unicode
    /// normalization form C. At least one character is visible. The value contains no control characters, line and
    /// paragraph separators, characters that are not shown, or characters that change the direction of writing
    /// (<doc:Approvals>).
    public let value: String

    /// The label, a colon and the value as one text for display; the value alone without a label. Each is in a Unicode
    /// isolate, which keeps it from reordering the other one. The signed texts contain no isolates.
    public var displayed: String {
        let value = DisplayText.isolated(value)
        return label.map { "\(DisplayText.isolated($0)): \(value)" } ?? value
    }

    /// Creates a field. Its texts are checked and normalized where the field is used.
    ///
    /// - Parameters:
    ///   - label: The label, or `nil`.
    ///   - value: The value.
    public init(label: String? = nil, value: String) {
        self.label = label
        self.value = value
    }

    /// A constant text.
    public var description: String { "data field" }
}

/// The fields of one transaction within their limits, in normalization form C.
///
/// Both sides check and normalize the fields with this type, to sign and verify the same bytes.
package struct DataFields: Sendable, Hashable {
    /// The fields in their order, 1 to ``DataField/maximumCount``.
    package let fields: [DataField]

    /// Checks and normalizes fields.
    ///
    /// - Throws: ``DataFieldError`` for the first text that is outside its limits, or for the number of fields.
    package init(_ fields: [DataField]) throws(DataFieldError) {
        guard (1...DataField.maximumCount).contains(fields.count) else { throw DataFieldError(.fieldCount) }
        var normal: [DataField] = []
        for (index, field) in fields.enumerated() {
            var label: String?
            if let text = field.label { label = try Self.normalized(text, .label, index) }
            normal.append(DataField(label: label, value: try Self.normalized(field.value, .value, index)))
        }
        self.fields = normal
    }

    private static func normalized(
        _ text: String, _ part: DataFieldError.Part, _ index: Int
    ) throws(DataFieldError) -> String {
        guard DisplayText.isSeen(text) else { throw DataFieldError(.empty, part, index) }
        // Normalization may shorten a text to a third, and its work grows with the length.
        guard text.utf8.count <= 4 * DataField.maximumBytes else { throw DataFieldError(.tooLong, part, index) }
        let normal = NormalizationFormC.of(text)
        guard normal.count <= DataField.maximumCharacters, normal.utf8.count <= DataField.maximumBytes else {
            throw DataFieldError(.tooLong, part, index)
        }
        guard DisplayText.hasAllowedCharacters(normal) else { throw DataFieldError(.character, part, index) }
        return normal
    }
}
