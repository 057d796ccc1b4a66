/// A field of a local transaction: a value that the user signs, and the label with which the app shows it.
///
/// Both are signed. The platform verifies a signature over the same fields, so that an application server names exactly
/// the labels that the app shows, or both use none. Neither printing nor reflection shows the texts.
public struct DataField: Sendable, Hashable, Redacted {
    /// The greatest number of fields of a transaction.
    public static let maximumCount = 8

    /// The greatest number of characters of a value and of a label.
    public static let maximumCharacters = 16

    /// The greatest number of bytes of UTF-8 of a value and of a label.
    public static let maximumBytes = 64

    /// The label, or `nil` for a field that is known by its place alone: 1 to ``maximumCharacters`` characters and at
    /// most ``maximumBytes`` bytes, as for ``value``.
    public let label: String?

    /// The value: 1 to ``maximumCharacters`` characters and at most ``maximumBytes`` bytes of UTF-8 in Unicode
    /// normalization form C, without control characters, line and paragraph separators, and characters that change the
    /// direction of writing.
    public let value: String

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
/// Both sides check and normalize the fields with this type, so that they sign and verify the same bytes.
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
        guard !text.isEmpty else { throw DataFieldError(.empty, part, index) }
        // Normalization may shorten a text to a third, and its work grows with the length.
        guard text.utf8.count <= 4 * DataField.maximumBytes else { throw DataFieldError(.tooLong, part, index) }
        let normal = NormalizationFormC.of(text)
        guard normal.count <= DataField.maximumCharacters, normal.utf8.count <= DataField.maximumBytes else {
            throw DataFieldError(.tooLong, part, index)
        }
        guard normal.unicodeScalars.allSatisfy(\.isPlainText) else { throw DataFieldError(.character, part, index) }
        return normal
    }
}

extension Unicode.Scalar {
    /// Whether a character neither controls a terminal, nor ends a line, nor changes the direction of writing (Unicode
    /// Standard Annex #9, section 2): what a user sees of a text with such characters alone is the text. Unicode
    /// assigns no others to these groups, so that the list is complete for good.
    package var isPlainText: Bool {
        switch self {
        case "\u{0}"..."\u{1F}", "\u{7F}"..."\u{9F}", "\u{2028}", "\u{2029}": false
        case "\u{061C}", "\u{200E}", "\u{200F}", "\u{202A}"..."\u{202E}", "\u{2066}"..."\u{2069}": false
        default: true
        }
    }
}
