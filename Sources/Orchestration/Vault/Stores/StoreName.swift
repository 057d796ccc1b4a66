/// A name in a store: 1 to 64 lower-case letters, digits and hyphens of ASCII.
///
/// Such a name is a valid file name and a valid Keychain account everywhere, and never leads out of a folder.
public struct StoreName: Sendable, Hashable, CustomStringConvertible {
    /// The name as text.
    public let text: String

    /// Creates a name.
    ///
    /// - Parameter text: 1 to 64 characters of `a`–`z`, `0`–`9` and `-`, the first of them not a hyphen.
    /// - Returns: `nil` for any other text.
    public init?(_ text: String) {
        let bytes = text.utf8
        guard (1...64).contains(bytes.count), bytes.first != UInt8(ascii: "-") else { return nil }
        for byte in bytes {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"): break
            default: return nil
            }
        }
        self.text = text
    }

    /// The name as text. The SDK derives its names from hashes. They do not reveal the user.
    public var description: String { text }
}

// The files of a name in a folder.
extension StoreName {
    /// The kinds of files that belong to a name.
    enum File: String {
        case value = ".data"
        case temporary = ".new"
        case lock = ".lock"
    }

    func file(_ kind: File) -> String { text + kind.rawValue }

    init?(file: String, kind: File) {
        guard file.hasSuffix(kind.rawValue) else { return nil }
        self.init(String(file.dropLast(kind.rawValue.count)))
    }
}
