/// A name in a store: 1 to 64 lower-case letters, digits and hyphens of ASCII.
///
/// So narrow that it is a file name and a Keychain account everywhere, and never leads out of its folder.
public struct StoreName: Sendable, Hashable, CustomStringConvertible {
    /// The name as text.
    public let text: String

    /// Takes a name.
    ///
    /// - Parameter text: 1 to 64 characters of `a`–`z`, `0`–`9` and `-`, the first of them not a hyphen.
    /// - Returns: `nil` when the text is anything else.
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

    /// The name as text. It is made from a hash where the SDK makes it, and names nobody.
    public var description: String { text }
}
