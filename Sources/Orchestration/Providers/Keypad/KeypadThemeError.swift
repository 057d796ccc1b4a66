public import Primitives

/// The error for a value of a theme. It names the key.
public struct KeypadThemeError: CodedError, Sendable {
    /// The fault of a value.
    public struct Code: Sendable, Hashable, CustomStringConvertible {
        /// The name of the code.
        public let description: String

        /// The file is not one JSON object, or it has a key twice.
        public static let invalidFile = Code(description: "invalidFile")
        /// The value is not a text, where a name is needed.
        public static let invalidName = Code(description: "invalidName")
        /// A theme has no such key.
        public static let unknownKey = Code(description: "unknownKey")
        /// The value is not a color.
        public static let invalidColor = Code(description: "invalidColor")
        /// The value is not a size.
        public static let invalidSize = Code(description: "invalidSize")
        /// The value is not one visible character.
        public static let invalidCharacter = Code(description: "invalidCharacter")
        /// The value is not a mode of the background.
        public static let invalidMode = Code(description: "invalidMode")
    }

    /// The fault.
    public let code: Code

    /// The key of the value; empty for `invalidFile`.
    public let key: String

    private let reason: String?

    /// The place in the source where the value was refused.
    public let location: SourceLocation

    /// The fault in words, with the key.
    public var message: String {
        switch code {
        case .invalidFile: "the file is not a JSON object: \(reason ?? "")"
        case .invalidName: "the value of '\(key)' is not a text"
        case .unknownKey: "a theme has no key '\(key)'"
        case .invalidColor: "the value of '\(key)' is not a color: #RRGGBB or #AARRGGBB in hexadecimal"
        case .invalidSize: "the value of '\(key)' is not a size: a number from 1 to 200"
        case .invalidCharacter: "the value of '\(key)' is not one visible character"
        case .invalidMode: "the value of '\(key)' is not a mode: center, fit or stretch"
        default: "the value of '\(key)' is not valid"
        }
    }

    init(_ code: Code, key: String, reason: String? = nil, fileID: String = #fileID, line: Int = #line) {
        self.code = code
        self.key = key
        self.reason = reason
        location = SourceLocation(fileID: fileID, line: line)
    }
}
