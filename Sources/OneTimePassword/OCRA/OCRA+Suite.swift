extension OCRA {
    /// An OCRA suite (RFC 6287 section 6): the function and the input of a code.
    ///
    /// The text of the suite is part of the input, which makes the codes of different suites independent.
    public struct Suite: Sendable, Hashable, CustomStringConvertible {
        /// The text, which is part of the input of a code.
        public let text: String

        /// The hash function of the HMAC.
        public let algorithm: HashAlgorithm

        /// The number of digits of a code, or 0 when the code is the whole HMAC in hexadecimal.
        public let digits: Int

        /// Whether a counter is part of the input.
        public let hasCounter: Bool

        /// The characters of a question.
        public let questionFormat: QuestionFormat

        /// The maximum number of characters of a question of one party: 4 to 64.
        public let questionLength: Int

        /// The hash function of the PIN, when one is part of the input.
        public let pinAlgorithm: HashAlgorithm?

        /// The number of bytes of the session information, when it is part of the input: 1 to 512.
        public let sessionByteCount: Int?

        /// The length of a time step in seconds, when the time is part of the input.
        public let timeStep: Int?

        /// The text. A suite is not secret.
        public var description: String { text }
    }

    /// The characters of a question.
    public enum QuestionFormat: Character, Sendable, Hashable, CaseIterable {
        /// Printable ASCII characters.
        case alphanumeric = "A"
        /// Decimal digits. Different numbers may have the same code, for example 100, 1600 and 25600, or numbers with
        /// and without leading zeros. Do not use this form to sign numbers that another party chooses.
        case numeric = "N"
        /// Hexadecimal digits in upper or lower case. Shorter questions are padded with zeros at the end, which means
        /// that only questions of the full length have distinct codes.
        case hexadecimal = "H"
    }
}

extension OCRA.Suite {
    /// The suite for challenge and response over the SHA-256 of the challenge, and for host codes.
    package static let hashedChallenge = OCRA.Suite(
        text: "OCRA-1:HOTP-SHA256-8:QH64", algorithm: .sha256, digits: 8, hasCounter: false,
        questionFormat: .hexadecimal, questionLength: 64, pinAlgorithm: nil, sessionByteCount: nil,
        timeStep: nil)

    /// The suite for signatures over the SHA-256 of the data, with a counter, which gives equal data different
    /// signatures.
    package static let hashedSignature = OCRA.Suite(
        text: "OCRA-1:HOTP-SHA256-8:C-QH64", algorithm: .sha256, digits: 8, hasCounter: true,
        questionFormat: .hexadecimal, questionLength: 64, pinAlgorithm: nil, sessionByteCount: nil,
        timeStep: nil)
}
