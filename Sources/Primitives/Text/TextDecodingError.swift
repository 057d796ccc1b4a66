/// The error for a text that is not the Base32, Base45, Base64URL or hexadecimal form of any bytes.
///
/// The text may be a secret. The error states the fault and its position, and contains no part of the text.
public struct TextDecodingError: CodedError, Sendable {
    /// The fault of a text that cannot be decoded.
    public struct Code: Sendable, Hashable, CustomStringConvertible {
        /// The name of the code.
        public let description: String

        /// A character does not belong to the alphabet.
        public static let invalidCharacter = Code(description: "invalidCharacter")
        /// No byte count results in a text of this length.
        public static let invalidLength = Code(description: "invalidLength")
        /// The bits after the last byte are not zero. The text would be a second text for the same bytes.
        public static let nonCanonical = Code(description: "nonCanonical")
        /// The padding is incomplete, too long or in the wrong place.
        public static let invalidPadding = Code(description: "invalidPadding")
        /// A group of characters encodes a number that is too large for its bytes (Base45).
        public static let outOfRange = Code(description: "outOfRange")
        /// The text has more characters than the caller allows.
        public static let tooLong = Code(description: "tooLong")
    }

    /// The fault of the text.
    public let code: Code

    /// The number of characters before the one that is wrong, or the length of the text when the whole text is wrong.
    public let position: Int

    /// The place in the source where the text was refused.
    public let location: SourceLocation

    /// The caller. A module that decodes input of another party wraps this error in its own error.
    public var blame: Blame { .caller }

    package init(_ code: Code, at position: Int, fileID: String = #fileID, line: Int = #line) {
        self.code = code
        self.position = position
        location = SourceLocation(fileID: fileID, line: line)
    }

    /// The message and the position.
    public var description: String { "\(message) at position \(position)" }

    /// The code in words.
    public var message: String {
        switch code {
        case .invalidCharacter: "a character is not part of the alphabet"
        case .invalidLength: "no bytes have a text of this length"
        case .nonCanonical: "the last character has bits that must be zero"
        case .invalidPadding: "the padding is not correct"
        case .outOfRange: "a group of characters is out of range"
        case .tooLong: "the text is longer than allowed"
        default: "the text cannot be decoded"
        }
    }
}
