/// Why a text is not the Base32, Base45, Base64URL or hexadecimal form of any bytes.
///
/// The text may be a secret, so the error says what is wrong and where, and never holds a part of the text. Two
/// errors are equal when their codes are.
public struct TextDecodingError: Error, Sendable, CustomStringConvertible {
    /// What is wrong with a text.
    public struct Code: Sendable, Hashable, CustomStringConvertible {
        /// The name of the code.
        public let description: String

        /// A character that does not belong to the alphabet.
        public static let invalidCharacter = Code(description: "invalidCharacter")
        /// A number of characters that no number of bytes encodes to.
        public static let invalidLength = Code(description: "invalidLength")
        /// Bits after the last byte that are not zero: a second text for the same bytes.
        public static let nonCanonical = Code(description: "nonCanonical")
        /// Padding that is missing in part, too long, or stands where none belongs.
        public static let invalidPadding = Code(description: "invalidPadding")
        /// A group of characters that stands for a number too large for its bytes (Base45).
        public static let outOfRange = Code(description: "outOfRange")
        /// More characters than the caller allows.
        public static let tooLong = Code(description: "tooLong")
    }

    /// What is wrong.
    public let code: Code

    /// The number of characters before the one that is wrong, or the length of the text when the whole is.
    public let position: Int

    /// Where in the source the text was refused.
    public let location: SourceLocation

    /// Whoever wrote the text has to correct it. Callers that know better wrap this error in their own.
    public var blame: Blame { .caller }

    package init(_ code: Code, at position: Int, fileID: String = #fileID, line: Int = #line) {
        self.code = code
        self.position = position
        location = SourceLocation(fileID: fileID, line: line)
    }

    /// The code in words and the position. Safe to log and to show.
    public var description: String { "\(message) at position \(position)" }

    /// The code in words.
    public var message: String {
        switch code {
        case .invalidCharacter: "a character is not part of the alphabet"
        case .invalidLength: "no bytes have a text of this length"
        case .nonCanonical: "the last character has bits that must be zero"
        case .invalidPadding: "the padding is not the right one"
        case .outOfRange: "a group of characters is out of range"
        case .tooLong: "the text is longer than allowed"
        default: "the text cannot be decoded"
        }
    }
}

extension TextDecodingError: Equatable {
    /// Whether the codes are equal.
    public static func == (a: TextDecodingError, b: TextDecodingError) -> Bool { a.code == b.code }
}
