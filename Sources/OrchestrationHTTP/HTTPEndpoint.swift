internal import Orchestration

#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// A checked address to which commands are posted.
struct HTTPEndpoint: Sendable {
    /// The full address of commands, including the path.
    let url: String

    private let base: String

    /// Checks an address.
    ///
    /// - Throws: `invalidConfiguration`; its message is the rule that the address breaks.
    init(_ address: String, allowsPlainHTTP: Bool) throws(OrchestrationError) {
        guard address.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
            throw Self.broken("it must be printable ASCII without spaces; write an international name as xn--")
        }
        guard let components = URLComponents(string: address) else { throw Self.broken("it is no address of the web") }
        guard let scheme = components.scheme?.lowercased(), ["https", "http"].contains(scheme) else {
            throw Self.broken("it must begin with https://, for example https://id.example.com")
        }
        guard let host = components.host, !host.isEmpty else { throw Self.broken("it has no host") }
        guard components.port.map((1...65_535).contains) ?? true else {
            throw Self.broken("its port must be between 1 and 65535")
        }
        guard components.user == nil, components.password == nil else {
            throw Self.broken("it must have no user and no password")
        }
        guard components.query == nil, components.fragment == nil else {
            throw Self.broken("it must have no query and no fragment")
        }
        guard scheme == "https" || allowsPlainHTTP || Self.isLoopback(host) else {
            throw Self.broken("plain http is for this machine only (localhost, 127.0.0.1 or [::1]); use https")
        }
        var text = address
        while text.hasSuffix("/") { text.removeLast() }
        base = text
        url = text + "/v1/orchestration-commands"
    }

    private static func broken(_ rule: String) -> OrchestrationError {
        OrchestrationError(.invalidConfiguration("the address of the platform cannot be used: " + rule))
    }

    /// Returns the address of a stream of notifications.
    ///
    /// - Parameter channel: The name of the channel. Every byte except letters, digits, `-` and `_` is percent-encoded,
    ///   because no name may lead to another path.
    /// - Returns: `nil` for an empty name.
    func notifications(of channel: String) -> String? {
        guard !channel.isEmpty else { return nil }
        var path = base + "/v1/notifications/"
        for byte in channel.utf8 {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
                path.unicodeScalars.append(Unicode.Scalar(byte))
            default:
                let digits = String(byte, radix: 16, uppercase: true)
                path += digits.count < 2 ? "%0" + digits : "%" + digits
            }
        }
        return path
    }

    /// Whether a text is a byte in one to three digits. `UInt8` also accepts a sign.
    private static func isByte(_ text: Substring) -> Bool {
        (1...3).contains(text.utf8.count) && text.utf8.allSatisfy({ (0x30...0x39).contains($0) })
            && UInt8(text) != nil
    }

    /// Whether a host can only be this machine, which means that its packets reach no network.
    static func isLoopback(_ host: String) -> Bool {
        let host = host.lowercased()
        if host == "localhost" || host == "::1" || host == "[::1]" { return true }
        let parts = host.split(separator: ".", omittingEmptySubsequences: false)
        return parts.count == 4 && parts[0] == "127" && parts.allSatisfy(isByte)
    }
}
