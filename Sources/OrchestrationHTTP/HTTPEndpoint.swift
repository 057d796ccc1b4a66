internal import Orchestration

#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// A checked address to which commands are posted.
struct HTTPEndpoint: Sendable {
    /// The full address of commands, path included.
    let url: String

    private let base: String

    init(_ base: URL, allowsPlainHTTP: Bool) throws(OrchestrationError) {
        guard let components = URLComponents(url: base, resolvingAgainstBaseURL: true),
            let host = components.host, !host.isEmpty,
            components.user == nil, components.password == nil, components.query == nil, components.fragment == nil
        else { throw OrchestrationError(.invalidConfiguration) }
        switch components.scheme?.lowercased() {
        case "https": break
        case "http" where allowsPlainHTTP || Self.isLoopback(host): break
        default: throw OrchestrationError(.invalidConfiguration)
        }
        var text = base.absoluteString
        while text.hasSuffix("/") { text.removeLast() }
        self.base = text
        url = text + "/v1/orchestration-commands"
    }

    /// Returns the address of a stream of notifications.
    ///
    /// - Parameter channel: The name of the channel. Every byte but letters, digits, `-` and `_` is percent-encoded, so
    ///   that no name leads to another path.
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

    /// Whether a host can only be this machine, so that its packets reach no network.
    static func isLoopback(_ host: String) -> Bool {
        let host = host.lowercased()
        if host == "localhost" || host == "::1" || host == "[::1]" { return true }
        let parts = host.split(separator: ".", omittingEmptySubsequences: false)
        return parts.count == 4 && parts[0] == "127" && parts.allSatisfy { UInt8($0) != nil }
    }
}
