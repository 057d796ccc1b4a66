/// A host of push services of the web that a device may name in its address.
public struct WebPushHost: Sendable, Hashable, CustomStringConvertible {
    /// The name, or a name with `*.` before it, which stands for one or more labels.
    public let description: String

    /// Reads a host: a domain name in small letters with two labels or more, with or without `*.` before it, such as
    /// `updates.push.services.mozilla.com` or `*.notify.windows.com`.
    ///
    /// - Returns: nil for another form, for an IP address, and for a name of this machine.
    public init?(_ text: String) {
        let name = text.hasPrefix("*.") ? String(text.dropFirst(2)) : text
        guard Self.isName(name), name.contains("."), !name.hasSuffix(".localhost") else { return nil }
        description = text
    }

    /// Returns whether a name is this host or one of these hosts.
    func includes(_ name: String) -> Bool {
        guard description.hasPrefix("*.") else { return name == description }
        let suffix = description.dropFirst()
        return name.utf8.count > suffix.utf8.count && name.hasSuffix(suffix)
    }

    /// Returns whether a text is a domain name in small letters. An IPv4 address in any form has a last label that
    /// begins with a digit, and is not a domain name.
    static func isName(_ text: String) -> Bool {
        let labels = text.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard text.utf8.count <= 253, let last = labels.last?.first, (0x61...0x7A).contains(last) else { return false }
        return labels.allSatisfy { label in
            (1...63).contains(label.count) && label.first != 0x2D && label.last != 0x2D
                && label.allSatisfy { (0x61...0x7A).contains($0) || (0x30...0x39).contains($0) || $0 == 0x2D }
        }
    }
}
