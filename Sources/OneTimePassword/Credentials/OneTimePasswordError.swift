public import Primitives

/// The error for a key, a suite, a parameter or a URI that cannot be used.
///
/// A wrong code is not an error: verification returns `nil`. All messages are constants and cannot contain a seed, a
/// PIN or a code.
public struct OneTimePasswordError: CodedError, Sendable {
    /// The kind of error.
    public let code: Code

    /// The party that must act.
    public let blame: Blame

    /// A constant English sentence for developers.
    public let message: String

    /// A ``TextDecodingError`` for the text of a secret, which states the fault and its position.
    public let underlying: (any Error)?

    /// The place in the source where the error was created.
    public let location: SourceLocation

    init(
        _ code: Code, _ message: StaticString, blame: Blame = .caller, underlying: TextDecodingError? = nil,
        fileID: String = #fileID, line: Int = #line
    ) {
        self.code = code
        self.blame = blame
        self.message = message.description
        self.underlying = underlying
        location = SourceLocation(fileID: fileID, line: line)
    }

    /// The message, and the fault of the text of a secret.
    public var description: String {
        guard let reason = underlying as? TextDecodingError else { return message }
        return "\(message): \(reason)"
    }
}

extension OneTimePasswordError {
    /// The kinds of errors. Later versions may add kinds.
    public struct Code: Sendable, Hashable, CustomStringConvertible {
        /// The name of the code.
        public let description: String

        /// A key is empty or has more than ``OneTimePasswordKey/maximumByteCount`` bytes.
        public static let invalidKey = Code(description: "invalidKey")
        /// The algorithm does not allow this number of digits.
        public static let invalidDigits = Code(description: "invalidDigits")
        /// A time step is shorter than a second or longer than a day.
        public static let invalidStep = Code(description: "invalidStep")
        /// A text is not an OCRA suite.
        public static let invalidSuite = Code(description: "invalidSuite")
        /// A counter, PIN, session or time of the OCRA suite is missing.
        public static let missingInput = Code(description: "missingInput")
        /// A counter, PIN, session or time is not part of the OCRA suite.
        public static let unexpectedInput = Code(description: "unexpectedInput")
        /// A question does not have the form or the length of the OCRA suite.
        public static let invalidQuestion = Code(description: "invalidQuestion")
        /// The session information is longer than in the OCRA suite.
        public static let invalidSession = Code(description: "invalidSession")
        /// A PIN is empty or too long, or the hash of a PIN does not have the length of the suite's hash.
        public static let invalidPIN = Code(description: "invalidPIN")
        /// A text is not an `otpauth` URI.
        public static let invalidURI = Code(description: "invalidURI")
        /// A parameter of an `otpauth` URI is missing.
        public static let missingParameter = Code(description: "missingParameter")
        /// A parameter of an `otpauth` URI occurs twice.
        public static let repeatedParameter = Code(description: "repeatedParameter")
        /// A parameter of an `otpauth` URI has an invalid value.
        public static let invalidParameter = Code(description: "invalidParameter")
        /// An issuer or account name is empty, too long, or contains a character that is not allowed.
        public static let invalidLabel = Code(description: "invalidLabel")
    }
}
