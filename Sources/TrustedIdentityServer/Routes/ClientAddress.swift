internal import Hummingbird
internal import TrustedIdentity

/// The address by which the platform limits requests that prove no device.
enum ClientAddress {
    /// Returns the address of the caller.
    ///
    /// - Parameter isBehindProxy: Whether a proxy of the operator appends to `X-Forwarded-For`. Without a proxy, the
    ///   caller could write anything into the header, so it is not read.
    static func of(_ request: Request, _ context: ServerContext, isBehindProxy: Bool) -> String? {
        of(context.peerAddress, forwardedFor: isBehindProxy ? request.headers[values: .forwardedFor] : [])
    }

    /// Returns the address of the caller from that of the connection and the values of the header.
    ///
    /// The last element of the last header is the one that the proxy appended. All before it may come from the caller.
    /// For an element that is no IP address, the result is the address of the connection. Otherwise each such text would
    /// have a limit of its own.
    static func of(_ peer: String?, forwardedFor values: [String]) -> String? {
        guard let last = values.last?.split(separator: ",", omittingEmptySubsequences: false).last else { return peer }
        return address(inElement: trimmed(last)) ?? peer
    }

    /// Returns the IP address in one of the forms `192.0.2.1`, `192.0.2.1:80`, `2001:db8::1`, `[2001:db8::1]` and
    /// `[2001:db8::1]:80`, without its zone index; nil for any other text.
    private static func address(inElement element: Substring) -> String? {
        let isBracketed = element.first == "["
        var address = element
        if isBracketed {
            guard let end = element.firstIndex(of: "]"), isOptionalPort(element[element.index(after: end)...]) else {
                return nil
            }
            address = element[..<end].dropFirst()
        } else if let colon = element.firstIndex(of: ":"), colon == element.lastIndex(of: ":") {
            // An IPv6 address has more than one colon.
            guard isOptionalPort(element[colon...]) else { return nil }
            address = element[..<colon]
        }
        guard AddressNetworks.isAddress(String(address)), !isBracketed || address.contains(":") else { return nil }
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

extension HTTPFields.Element.Name {
    /// The header to which proxies append the address of their caller.
    static let forwardedFor: Self = {
        guard let name = Self("x-forwarded-for") else { preconditionFailure("x-forwarded-for is not a token") }
        return name
    }()
}
