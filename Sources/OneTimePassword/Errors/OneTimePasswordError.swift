public import Primitives

/// Why a key, a suite, a parameter or a URI cannot be used.
///
/// A wrong code is no error: verification answers `nil`. Two errors are equal when their codes are. The texts are
/// constants, so that no seed, PIN or code can be in them.
public struct OneTimePasswordError: Error, Sendable, CustomStringConvertible {
    /// What is wrong.
    public let code: Code

    /// Who has to act.
    public let blame: Blame

    /// What is wrong, in words and in detail.
    public let message: String

    /// What is wrong with the Base32 of a secret, and where in it.
    public let underlying: TextDecodingError?

    /// Where in the source the error was made.
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

    /// The message, with the position in the secret where there is one. Safe to log and to show.
    public var description: String {
        guard let underlying else { return message }
        return "\(message): \(underlying)"
    }
}

extension OneTimePasswordError {
    /// A kind of error. More may come in later versions.
    public struct Code: Sendable, Hashable, CustomStringConvertible {
        /// The name of the code.
        public let description: String

        /// A key without bytes or with more than ``OneTimePasswordKey/maximumByteCount``.
        public static let invalidKey = Code(description: "invalidKey")
        /// A number of digits that the algorithm does not have.
        public static let invalidDigits = Code(description: "invalidDigits")
        /// A time step of no seconds or of more than a day.
        public static let invalidStep = Code(description: "invalidStep")
        /// A text that is not an OCRA suite.
        public static let invalidSuite = Code(description: "invalidSuite")
        /// A counter, PIN, session or time that the OCRA suite asks for and that was not given.
        public static let missingInput = Code(description: "missingInput")
        /// A counter, PIN, session or time that is not part of the OCRA suite.
        public static let unexpectedInput = Code(description: "unexpectedInput")
        /// A question that has not the form or the length that the OCRA suite names.
        public static let invalidQuestion = Code(description: "invalidQuestion")
        /// Session information that is longer than the OCRA suite says.
        public static let invalidSession = Code(description: "invalidSession")
        /// A PIN that is empty, or a PIN's hash that has not the suite's length.
        public static let invalidPIN = Code(description: "invalidPIN")
        /// A text that is not an `otpauth` URI.
        public static let invalidURI = Code(description: "invalidURI")
        /// A parameter of an `otpauth` URI that is missing.
        public static let missingParameter = Code(description: "missingParameter")
        /// A parameter of an `otpauth` URI that stands there twice.
        public static let repeatedParameter = Code(description: "repeatedParameter")
        /// A parameter of an `otpauth` URI with a value that cannot be used.
        public static let invalidParameter = Code(description: "invalidParameter")
        /// An issuer or account name that is empty, too long, or has a character that none can have.
        public static let invalidLabel = Code(description: "invalidLabel")
    }
}

extension OneTimePasswordError: Equatable {
    /// Whether the codes are equal.
    public static func == (a: OneTimePasswordError, b: OneTimePasswordError) -> Bool { a.code == b.code }
}
