internal import TrustedIdentity

/// The elements of a header in which proxies name their callers, read from the end.
///
/// The end is what the nearest proxy has appended. Everything before it may come from the caller, in any form, and must
/// not change how the end is read.
struct ForwardedElements {
    private let header: TrustedProxies.Header
    private var values: [Substring]

    init(_ values: [String], _ header: TrustedProxies.Header) {
        self.header = header
        self.values = values.map { $0[...] }
    }

    /// Removes the last element and returns the text of its address, or an empty text for an element without one.
    /// Returns nil when there is no element.
    mutating func popLast() -> Substring? {
        guard let value = values.popLast() else { return nil }
        guard let comma = lastComma(in: value) else { return node(in: value) }
        values.append(value[..<comma])
        return node(in: value[value.index(after: comma)...])
    }

    /// Returns the last comma that is not in a quoted string.
    private func lastComma(in value: Substring) -> Substring.Index? {
        guard header == .forwarded else { return value.lastIndex(of: ",") }
        var isQuoted = false
        for index in value.indices.reversed() {
            if value[index] == "\"" {
                // A quote after a backslash belongs to the string (RFC 9110, section 5.6.4).
                let backslashes = value[..<index].reversed().prefix { $0 == "\\" }.count
                if backslashes.isMultiple(of: 2) { isQuoted.toggle() }
            } else if value[index] == ",", !isQuoted {
                return index
            }
        }
        return nil
    }

    /// Returns the text of the address in an element.
    private func node(in element: Substring) -> Substring {
        guard header == .forwarded else { return Self.trimmed(element) }
        var nodes: [Substring] = []
        // An address contains no semicolon, so the parts of a quoted string with a semicolon are not a parameter `for`
        // with an address.
        for parameter in element.split(separator: ";") {
            let parts = Self.trimmed(parameter).split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard parts.count == 2, parts[0].lowercased() == "for" else { continue }
            nodes.append(parts[1])
        }
        // RFC 7239, section 4: a parameter occurs once in an element.
        guard nodes.count == 1, let node = nodes.first else { return "" }
        guard node.first == "\"" else { return node }
        return node.utf8.count > 2 && node.last == "\"" ? node.dropFirst().dropLast() : ""
    }

    /// Returns the IP address in one of the forms `192.0.2.1`, `192.0.2.1:80`, `2001:db8::1`, `[2001:db8::1]` and
    /// `[2001:db8::1]:80`, without its zone index; nil for any other text.
    static func address(in element: Substring) -> String? {
        let isBracketed = element.first == "["
        var address = element
        if isBracketed {
            guard let end = element.firstIndex(of: "]"), isOptionalPort(element[element.index(after: end)...]) else {
                return nil
            }
            address = element[..<end].dropFirst()
        } else if let colon = element.firstIndex(of: ":"), colon == element.lastIndex(of: ":") {
            // An IPv6 address contains more than one colon.
            guard isOptionalPort(element[colon...]) else { return nil }
            address = element[..<colon]
        }
        guard AddressNetwork.isAddress(String(address)), !isBracketed || address.contains(":") else { return nil }
        return String(address.prefix { $0 != "%" })
    }

    /// Returns whether a text is empty, or a colon and a port.
    private static func isOptionalPort(_ text: Substring) -> Bool {
        guard let colon = text.first else { return true }
        let digits = text.dropFirst()
        return colon == ":" && (1...5).contains(digits.utf8.count) && digits.utf8.allSatisfy { (48...57).contains($0) }
            && UInt16(digits) != nil
    }

    private static func trimmed(_ text: Substring) -> Substring {
        let isBlank: (Character) -> Bool = { $0 == " " || $0 == "\t" }
        var text = text.drop(while: isBlank)
        while text.last.map(isBlank) ?? false { text.removeLast() }
        return text
    }
}
