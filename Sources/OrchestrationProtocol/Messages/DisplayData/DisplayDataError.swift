public import Primitives

/// The error for fields that are not ``DisplayData``, and for texts that are not an ``ApprovalPrincipal``. It names the
/// field and the rule, and contains no part of a text.
public struct DisplayDataError: CodedError, Sendable {
    /// The rule that is broken.
    public struct Code: Sendable, Hashable, CustomStringConvertible {
        /// The name of the code.
        public let description: String

        /// A text is empty or contains no visible character, for example only white space.
        public static let empty = Code(description: "empty")
        /// A text has more characters than its field allows.
        public static let tooLong = Code(description: "tooLong")
        /// A text contains a control character, a line separator, a character that is not shown, or one that changes
        /// the direction of writing.
        public static let forbiddenCharacter = Code(description: "forbiddenCharacter")
        /// A text is not in Unicode normalization form C.
        public static let notNormalized = Code(description: "notNormalized")
        /// An amount has more decimal places than its currency.
        public static let tooManyDecimalPlaces = Code(description: "tooManyDecimalPlaces")
        /// An amount is not followed by its currency, or a currency does not follow an amount.
        public static let unpairedAmount = Code(description: "unpairedAmount")
        /// A type that may occur only once occurs again.
        public static let duplicateType = Code(description: "duplicateType")
        /// There are more than 16 fields.
        public static let tooManyFields = Code(description: "tooManyFields")
        /// All fields together have more than 4,096 bytes.
        public static let tooLarge = Code(description: "tooLarge")
    }

    /// The rule that is broken.
    public let code: Code

    /// The index of the field, from 0; `nil` for an error about all fields or a principal.
    public let index: Int?

    /// The name of the field's case, for example `creditor`; `nil` for an error about all fields or a principal.
    public let fieldName: String?

    /// The place in the source where the fields were refused.
    public let location: SourceLocation

    /// The code in words.
    public var message: String {
        switch code {
        case .empty: "the text is empty, or shows nothing"
        case .tooLong: "the text is too long for its field"
        case .forbiddenCharacter:
            "the text has a control character, one that is not shown, or one that changes the direction of writing"
        case .notNormalized: "the text is not in Unicode normalization form C"
        case .tooManyDecimalPlaces: "the amount has more decimal places than its currency"
        case .unpairedAmount: "an amount and its currency come together, in this order"
        case .duplicateType: "a field of this type may occur once"
        case .tooManyFields: "there are more than 16 fields"
        case .tooLarge: "the fields have more than 4,096 bytes"
        default: "the display data is not valid"
        }
    }

    /// The code, the field if there is one, and the message. Safe to log.
    public var description: String {
        guard let index, let fieldName else { return "\(code): \(message)" }
        return "\(code) in field \(index) (\(fieldName)): \(message)"
    }

    init(
        _ code: Code, in field: DisplayField? = nil, at index: Int? = nil, fileID: String = #fileID, line: Int = #line
    ) {
        self.code = code
        self.index = index
        fieldName = field.map { $0.name.description }
        location = SourceLocation(fileID: fileID, line: line)
    }
}
