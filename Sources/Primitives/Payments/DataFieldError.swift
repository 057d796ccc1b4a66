/// The error for the fields of a local transaction. It names the field, and contains no part of its texts.
public struct DataFieldError: CodedError, Sendable {
    /// The rule that is broken.
    public struct Code: Sendable, Hashable, CustomStringConvertible {
        /// The name of the code.
        public let description: String

        /// The list is empty, or has more fields than ``DataField/maximumCount``.
        public static let fieldCount = Code(description: "fieldCount")
        /// The text is empty, or shows nothing, for example only white space.
        public static let empty = Code(description: "empty")
        /// The text has more than ``DataField/maximumCharacters`` characters or ``DataField/maximumBytes`` bytes.
        public static let tooLong = Code(description: "tooLong")
        /// The text contains a control character, a line separator, a character that is not shown, or one that changes
        /// the direction of writing.
        public static let character = Code(description: "character")
    }

    /// A text of a field.
    @nonexhaustive
    public enum Part: String, Sendable, Hashable, CaseIterable {
        /// The label.
        case label
        /// The value.
        case value
    }

    /// The rule that is broken.
    public let code: Code

    /// The text that breaks the rule; `nil` if the number of fields breaks it.
    public let part: Part?

    /// The place of the field in its list, from 0; `nil` when the number of fields breaks the rule.
    public let index: Int?

    /// The place in the source where the fields were refused.
    public let location: SourceLocation

    /// The fault in words, with the number of the field from 1: `field 3: the value is empty`.
    public var message: String {
        guard let part, let index else { return "there must be 1 to \(DataField.maximumCount) fields" }
        return "field \(index + 1): the \(part.rawValue) \(fault)"
    }

    /// The fault of a text, without its field.
    package var fault: String {
        switch code {
        case .empty: "is empty, or shows nothing"
        case .tooLong:
            "is longer than \(DataField.maximumCharacters) characters or \(DataField.maximumBytes) bytes"
        case .character: "has a character that is not allowed"
        default: "is not valid"
        }
    }

    init(
        _ code: Code, _ part: Part? = nil, _ index: Int? = nil, fileID: String = #fileID, line: Int = #line
    ) {
        self.code = code
        self.part = part
        self.index = index
        location = SourceLocation(fileID: fileID, line: line)
    }
}
