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
    /// Requests that do not prove a device are limited by address. If the server is behind a proxy, name the proxy
    /// here. Otherwise all requests have the proxy's address. The headers of all other peers are ignored.
    public var proxies: TrustedProxies

    /// The files of the server's own TLS. Without them, it speaks plain HTTP.
    public var tls: TLSFiles

    /// The limits of connections and requests.
    public var limits: ConnectionLimits

    /// Creates a configuration. By default, the server listens on the loopback interface.
    public init(
        host: String = "127.0.0.1", port: Int = 8080, defaultDomain: String = "master",
        proxies: TrustedProxies = .init(), tls: TLSFiles = .init(),
        limits: ConnectionLimits = .init()
    ) {
        self.host = host
        self.port = port
        self.defaultDomain = defaultDomain
        self.proxies = proxies
        self.tls = tls
        self.limits = limits
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
        .init("limits.connections", in: 1...1_000_000) { $0.limits.connections },
        .init("limits.connectionsPerAddress", in: 1...1_000_000) { $0.limits.connectionsPerAddress },
        .init("limits.idleTimeout", in: .seconds(1)...(.seconds(3_600))) { $0.limits.idleTimeout },
        .init("limits.headerFields", in: 16...1_000) { $0.limits.headerFields },
        .init("limits.headerFieldBytes", in: 1_024...65_536) { $0.limits.headerFieldBytes },
        .init("limits.headerBytes", in: 4_096...262_144) { $0.limits.headerBytes },
        .init("limits.bodyTimeout", in: .seconds(1)...(.seconds(600))) { $0.limits.bodyTimeout },
        .init("limits.requestTimeout", in: .seconds(1)...(.seconds(600))) { $0.limits.requestTimeout },
        .init("proxies.hops", in: 1...16) { $0.proxies.hops },
    ]
}
