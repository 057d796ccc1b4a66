internal import Hummingbird

/// The address by which the platform limits requests that do not prove a device.
enum ClientAddress {
    /// Returns the address of the caller, which a trusted proxy names in its header.
    static func of(_ request: Request, _ context: ServerContext, _ proxies: TrustedProxies) -> String? {
        // Most servers have no proxies and need not search for a header.
        guard !proxies.networks.isEmpty else { return context.peerAddress }
        let name: HTTPFields.Element.Name =
            switch proxies.header {
            case .xForwardedFor: .forwardedFor
            case .forwarded: .forwarded
            }
        return proxies.caller(context.peerAddress, request.headers[values: name])
    }
}

extension HTTPFields.Element.Name {
    /// The header to which proxies append the address of their caller.
    fileprivate static let forwardedFor = constant("x-forwarded-for")

    /// The header of RFC 7239.
    fileprivate static let forwarded = constant("forwarded")
}
