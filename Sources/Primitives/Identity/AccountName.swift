/// Who somebody is to the platform: a user id in a domain, written `user@domain`.
///
/// An account name has one spelling. The user id is brought to Unicode normalization form C and keeps its case; the
/// domain is brought to lower case, ASCII only. Both sides of the protocol hash that spelling, so nothing else in the
/// package ever changes one again.
public struct AccountName: Sendable, Hashable, CustomStringConvertible {
    /// The user's id in the domain, 1 to 64 characters and at most 128 bytes of UTF-8.
    public let userID: String

    /// The domain, 1 to 64 of `a`–`z`, `0`–`9`, `.` and `-`.
    public let domain: String

    /// The name in its one spelling, `userID@domain`; at most 193 bytes of UTF-8.
    public var text: String { "\(userID)@\(domain)" }

    /// The same as ``text``. A name of a person: log it hashed or not at all.
    public var description: String { text }

    /// Makes a name from its parts and brings them to the one spelling.
    ///
    /// - Parameters:
    ///   - userID: 1 to 64 characters, at most 128 bytes of UTF-8, without control characters, line separators,
    ///     characters that turn the direction of writing, `@` and `/`.
    ///   - domain: 1 to 64 of ASCII letters, digits, `.` and `-`.
    /// - Throws: ``AccountNameError`` with the rule that was broken.
    public init(userID: String, domain: String) throws(AccountNameError) {
        guard userID.utf8.count <= Self.maximumBytesBeforeNormalization else { throw .userIDTooLong }
        let normal = Self.normalized(userID)
        guard !normal.isEmpty else { throw .userIDEmpty }
        guard normal.count <= 64, normal.utf8.count <= 128 else { throw .userIDTooLong }
        guard normal.unicodeScalars.allSatisfy(Self.isAllowed) else { throw .userIDCharacter }
        self.userID = normal
        self.domain = try Self.domain(domain)
    }

    /// Reads a name as a person or a URL spells it.
    ///
    /// - Parameters:
    ///   - text: `user@domain`, or `user` alone.
    ///   - defaultDomain: the domain of a name without one.
    /// - Throws: ``AccountNameError`` with the rule that was broken; a second `@` is one of them.
    public init(text: String, defaultDomain: String) throws(AccountNameError) {
        guard let at = text.utf8.firstIndex(of: UInt8(ascii: "@")) else {
            try self.init(userID: text, domain: defaultDomain)
            return
        }
        try self.init(userID: String(text[..<at]), domain: String(text[text.utf8.index(after: at)...]))
    }

    /// Normalization is not linear in the worst case and may shorten a text to a third: four times the limit is room
    /// for every honest spelling, and a bound for the others.
    private static let maximumBytesBeforeNormalization = 512

    private static func domain(_ text: String) throws(AccountNameError) -> String {
        guard !text.isEmpty else { throw .domainEmpty }
        guard text.utf8.count <= 64 else { throw .domainTooLong }
        var bytes: [UInt8] = []
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."),
                UInt8(ascii: "-"):
                bytes.append(byte)
            case UInt8(ascii: "A")...UInt8(ascii: "Z"):
                bytes.append(byte | 0x20)
            default:
                throw .domainCharacter
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Control characters and separators break logs and terminals; direction marks make one name look like another.
    private static func isAllowed(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        case "@", "/": false
        case "\u{061C}", "\u{200E}", "\u{200F}", "\u{202A}"..."\u{202E}", "\u{2066}"..."\u{2069}", "\u{FEFF}": false
        default:
            switch scalar.properties.generalCategory {
            case .control, .lineSeparator, .paragraphSeparator, .surrogate, .unassigned, .privateUse: false
            default: true
            }
        }
    }
}
