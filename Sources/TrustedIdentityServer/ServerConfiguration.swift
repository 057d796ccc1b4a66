package import TrustedIdentity

/// The configuration of a ``Server``.
public struct ServerConfiguration: Sendable, Hashable {
    /// The address to listen on: a name or an IP address.
    public var host: String

    /// The port, or 0 for a free one.
    public var port: Int

    /// The domain of users that are named without one.
    public var defaultDomain: String

    /// The proxies of the operator, by their addresses, and the header in which they name their callers.
    ///
    /// Requests that prove no device are limited by address. Behind a proxy, name it here: otherwise all requests have the
    /// address of the proxy. The headers of all other peers are ignored.
    public var proxies: TrustedProxies

    /// The files of the server's own TLS. Without them, it speaks plain HTTP.
    public var tls: TLSFiles

    /// Creates a configuration. By default, the server listens on the loopback interface.
    public init(
        host: String = "127.0.0.1", port: Int = 8080, defaultDomain: String = "master",
        proxies: TrustedProxies = .init(), tls: TLSFiles = .init()
    ) {
        self.host = host
        self.port = port
        self.defaultDomain = defaultDomain
        self.proxies = proxies
        self.tls = tls
    }

    /// The limits that are not met.
    package var problems: [ConfigurationLimit<Self>] { Self.limits.filter { !$0.isMet(self) } }

    /// The limits of the fields.
    package static let limits: [ConfigurationLimit<Self>] = [
        .init("host", "1 to 255 bytes") { (1...255).contains($0.host.utf8.count) },
        .init("port", in: 0...65_535) { $0.port },
        .init("defaultDomain", "1 to 64 of a to z, 0 to 9, '.' and '-'") {
            // Names are compared in lower case.
            (try? AccountName(userID: "user", domain: $0.defaultDomain))?.domain == $0.defaultDomain
        },
        .init("proxies.networks", TrustedProxies.limits) {
            $0.proxies.networks.count <= TrustedProxies.maximumNetworks
        },
        .init("proxies.hops", in: 1...16) { $0.proxies.hops },
    ]
}
