internal import Orchestration

#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// A checked address to which commands are posted.
struct HTTPEndpoint: Sendable {
    /// The full address, path included.
    let url: String

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
        url = text + "/v1/orchestration-commands"
    }

    /// Whether a host can only be this machine, so that its packets reach no network.
    static func isLoopback(_ host: String) -> Bool {
        let host = host.lowercased()
        if host == "localhost" || host == "::1" || host == "[::1]" { return true }
        let parts = host.split(separator: ".", omittingEmptySubsequences: false)
        return parts.count == 4 && parts[0] == "127" && parts.allSatisfy { UInt8($0) != nil }
    }
}
