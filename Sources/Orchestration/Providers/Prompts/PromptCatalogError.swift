public import Primitives

/// The error for a file of translations. It names the key and, where one is wrong, the placeholder.
public struct PromptCatalogError: CodedError, Sendable {
    /// The fault of a translation.
    public struct Code: Sendable, Hashable, CustomStringConvertible {
        /// The name of the code.
        public let description: String

        /// A key of the SDK has no text.
        public static let missingKey = Code(description: "missingKey")
        /// A key is not one of the SDK, for example because of a typing error.
        public static let unknownKey = Code(description: "unknownKey")
        /// The file is not one JSON object, or it has a key twice.
        public static let invalidFile = Code(description: "invalidFile")
        /// A value is not a text.
        public static let notText = Code(description: "notText")
        /// A text is empty.
        public static let emptyText = Code(description: "emptyText")
        /// A text lacks a placeholder that the English one has.
        public static let missingPlaceholder = Code(description: "missingPlaceholder")
        /// A text has a placeholder that the English one does not have.
        public static let unknownPlaceholder = Code(description: "unknownPlaceholder")
    }

    /// The fault.
    public let code: Code

    /// The key of the text; empty for `invalidFile`.
    public let key: String

    private let reason: String?

    /// The placeholder with its braces; `nil` when the fault is of another kind.
    public let placeholder: String?

    /// The place in the source where the translation was refused.
    public let location: SourceLocation

    /// The fault in words, with the key and the placeholder.
    public var message: String {
        switch code {
        case .invalidFile: "the file is not a JSON object: \(reason ?? "")"
        case .notText: "the value of '\(key)' is not a text"
        case .missingKey: "the translation has no text for '\(key)'"
        case .unknownKey: "the SDK has no text with the key '\(key)'"
        case .emptyText: "the text of '\(key)' is empty"
        case .missingPlaceholder: "the text of '\(key)' lacks the placeholder \(placeholder ?? "")"
        case .unknownPlaceholder: "the text of '\(key)' has the placeholder \(placeholder ?? ""), which has no value"
        default: "the text of '\(key)' is not valid"
        }
    }

    init(
        _ code: Code, key: String, placeholder: String? = nil, reason: String? = nil, fileID: String = #fileID,
        line: Int = #line
    ) {
        self.code = code
        self.key = key
        self.placeholder = placeholder
        self.reason = reason
        location = SourceLocation(fileID: fileID, line: line)
    }
}
