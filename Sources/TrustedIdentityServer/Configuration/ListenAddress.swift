internal import TrustedIdentity

/// An address to listen on as text: `HOST:PORT`, with an IPv6 address in brackets.
package struct ListenAddress: CustomStringConvertible, Sendable, Hashable {
    package let host: String
    package let port: Int

    /// Creates an address.
    package init(host: String, port: Int) {
        self.host = host
        self.port = port
    }

    /// Creates an address from its text, or returns nil for another form.
    package init?(_ text: String) {
        guard let colon = text.lastIndex(of: ":"), text[colon...].utf8.count <= 6,
            text[text.index(after: colon)...].utf8.allSatisfy({ (48...57).contains($0) }),
            let port = Int(text[text.index(after: colon)...])
        else { return nil }
        var host = text[..<colon]
        if host.hasPrefix("["), host.hasSuffix("]") {
            host = host.dropFirst().dropLast()
        } else if host.contains(":") {
            return nil
        }
        guard !host.isEmpty else { return nil }
        self.host = String(host)
        self.port = port
    }

    /// Whether only this machine can connect.
    package var isLoopback: Bool {
        // A name can begin with `127.`, too, and stand for any address.
        host == "localhost" || host == "::1" || host.hasPrefix("127.") && AddressNetwork.isAddress(host)
    }

    package var description: String { withPort(port) }

    /// Returns the address with another port, which the system has chosen.
    package func withPort(_ port: Int) -> String { host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)" }
}
