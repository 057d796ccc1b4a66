/// The name of an account at the platform: a user id in a domain, written `user@domain`.
///
/// An account name has one spelling. The user id is in Unicode normalization form C and keeps its case; the domain is
/// in lower case and ASCII. Both sides of the protocol hash this spelling. No other code may change it.
public struct AccountName: Sendable, Hashable, CustomStringConvertible {
    /// The user's id in the domain, 1 to 64 characters and at most 128 bytes of UTF-8.
    public let userID: String

    /// The domain, 1 to 64 of `a`–`z`, `0`–`9`, `.` and `-`.
    public let domain: String

    /// The name as `userID@domain`, at most 193 bytes of UTF-8.
    public var text: String { "\(userID)@\(domain)" }

    /// The same as ``text``. The name identifies a person: log a hash of it, or nothing.
    public var description: String { text }

    /// Creates a name from its parts and normalizes them.
    ///
    /// - Parameters:
    ///   - userID: 1 to 64 characters, at most 128 bytes of UTF-8, without `/`, control characters, line separators,
    ///     and characters that are invisible, change the direction of writing, or are not assigned by Unicode. It does
    ///     not begin or end with `@` or white space.
    ///   - domain: 1 to 64 of ASCII letters, digits, `.` and `-`.
    /// - Throws: ``AccountNameError`` with the code of the rule that is broken.
    public init(userID: String, domain: String) throws(AccountNameError) {
        guard userID.utf8.count <= Self.maximumBytesBeforeNormalization else { throw AccountNameError(.userIDTooLong) }
        let normal = NormalizationFormC.of(userID)
        guard !normal.isEmpty else { throw AccountNameError(.userIDEmpty) }
        guard normal.count <= 64, normal.utf8.count <= 128 else { throw AccountNameError(.userIDTooLong) }
        let scalars = normal.unicodeScalars
        guard let first = scalars.first, let last = scalars.last, scalars.allSatisfy(Self.isAllowed),
            !Self.isExcludedFromEdges(first), !Self.isExcludedFromEdges(last)
        else { throw AccountNameError(.userIDCharacter) }
        self.userID = normal
        self.domain = try Self.domain(domain)
    }

    /// Creates a name from text that a person typed or that a URL contains.
    ///
    /// - Parameters:
    ///   - text: `user@domain`, or `user` alone. The last `@` separates the domain, which means that a user id that
    ///     contains `@` is always written with its domain.
    ///   - defaultDomain: The domain of a name without one.
    /// - Throws: ``AccountNameError`` with the code of the rule that is broken.
    public init(text: String, defaultDomain: String) throws(AccountNameError) {
        guard let at = text.utf8.lastIndex(of: UInt8(ascii: "@")) else {
            try self.init(userID: text, domain: defaultDomain)
            return
        }
        try self.init(userID: String(text[..<at]), domain: String(text[text.utf8.index(after: at)...]))
    }

    /// Normalization may shorten a text to a third, and is not linear in the worst case. Four times the limit is enough
    /// for every valid name and bounds the work for other texts.
    private static let maximumBytesBeforeNormalization = 512

    private static func domain(_ text: String) throws(AccountNameError) -> String {
        guard !text.isEmpty else { throw AccountNameError(.domainEmpty) }
        guard text.utf8.count <= 64 else { throw AccountNameError(.domainTooLong) }
        var bytes: [UInt8] = []
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."),
                UInt8(ascii: "-"):
                bytes.append(byte)
            case UInt8(ascii: "A")...UInt8(ascii: "Z"):
                bytes.append(byte | 0x20)
            default:
                throw AccountNameError(.domainCharacter)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Returns whether a user id may contain a character. Control characters and separators break logs and terminals.
    /// Characters that are not shown, joiners included, and direction marks make one name look like another. A later
    /// version of Unicode may not show a character that is not yet assigned. Characters that look alike in two scripts
    /// are allowed: only the application server knows which scripts its users write.
    private static func isAllowed(_ scalar: Unicode.Scalar) -> Bool {
        scalar != "/" && !scalar.isRefusedInText && scalar.properties.generalCategory != .unassigned
    }

    /// Returns whether a user id may neither begin nor end with a character. White space at an edge is not visible, and
    /// an `@` there looks like a missing domain.
    private static func isExcludedFromEdges(_ scalar: Unicode.Scalar) -> Bool {
        scalar == "@" || scalar.properties.isWhitespace
    }
}

/// The error for a text that is not an ``AccountName``. It contains no part of the text.
public struct AccountNameError: CodedError, Sendable {
    /// The rule that a text breaks.
    public struct Code: Sendable, Hashable, CustomStringConvertible {
        /// The name of the code.
        public let description: String

        /// There is no user id.
        public static let userIDEmpty = Code(description: "userIDEmpty")
        /// The user id has more than 64 characters or more than 128 bytes of UTF-8.
        public static let userIDTooLong = Code(description: "userIDTooLong")
        /// The user id contains `/`, a control character, a character that is invisible, changes the direction of
        /// writing or is not assigned by Unicode, or it begins or ends with `@` or white space.
        public static let userIDCharacter = Code(description: "userIDCharacter")
        /// There is no domain.
        public static let domainEmpty = Code(description: "domainEmpty")
        /// The domain has more than 64 characters.
        public static let domainTooLong = Code(description: "domainTooLong")
        /// The domain contains characters other than ASCII letters, digits, `.` and `-`.
        public static let domainCharacter = Code(description: "domainCharacter")
    }

    /// The rule that is broken.
    public let code: Code

    /// The place in the source where the text was refused.
    public let location: SourceLocation

    /// Whether the domain, not the user id, is wrong.
    public var isAboutDomain: Bool { [.domainEmpty, .domainTooLong, .domainCharacter].contains(code) }

    /// The code in words.
    public var message: String {
        switch code {
        case .userIDEmpty: "the user id is empty"
        case .userIDTooLong: "the user id is longer than 64 characters or 128 bytes"
        case .userIDCharacter: "the user id has a character that is not allowed"
        case .domainEmpty: "the domain is empty"
        case .domainTooLong: "the domain is longer than 64 characters"
        case .domainCharacter: "the domain has a character that is not a letter, a digit, '.' or '-'"
        default: "the account name is not valid"
        }
    }

    init(_ code: Code, fileID: String = #fileID, line: Int = #line) {
        self.code = code
        location = SourceLocation(fileID: fileID, line: line)
    }
}
