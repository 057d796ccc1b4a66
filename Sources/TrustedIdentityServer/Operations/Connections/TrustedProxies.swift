/// The proxies of the operator, and the header in which they name the addresses of their callers.
public struct TrustedProxies: Sendable, Hashable {
    /// A header in which each proxy appends the address of its caller.
    public enum Header: String, Sendable, Hashable, CaseIterable {
        /// `X-Forwarded-For`: addresses with commas between them.
        case xForwardedFor = "x-forwarded-for"
        /// `Forwarded` (RFC 7239): the parameter `for` of each element.
        case forwarded
    }

    /// The networks of the proxies; empty for none.
    public var networks: [AddressRange]

    /// The header that is read. Any other one is ignored, because a proxy forwards headers that it does not know from
    /// its caller.
    public var header: Header

    /// The maximum number of proxies between a caller and the server.
    public var hops: Int

    /// Whether the proxies put the TLS client certificate of their caller into `Client-Cert` (RFC 9440), and remove
    /// that header from what the caller sends.
    ///
    /// A proxy that does not remove it must not be used with this setting. A certificate is public, so every caller
    /// could send an application server's certificate.
    public var sendClientCertificates: Bool

    /// Creates the proxies.
    ///
    /// - Parameters:
    ///   - networks: The networks of the proxies, at most 64; empty for none.
    ///   - header: The header that the proxies append to.
    ///   - hops: The maximum number of proxies between a caller and the server, 1 to 16.
    ///   - sendClientCertificates: Whether the proxies write the header `Client-Cert`.
    public init(
        _ networks: [AddressRange] = [], header: Header = .xForwardedFor, hops: Int = 1,
        sendClientCertificates: Bool = false
    ) {
        self.networks = networks
        self.header = header
        self.hops = hops
        self.sendClientCertificates = sendClientCertificates
    }

    /// The maximum number of networks.
    static let maximumNetworks = 64

    static let limits = "none, or up to 64 of ADDRESS or ADDRESS/BITS with commas between them"

    /// Returns whether a peer is one of the proxies.
    func trust(_ peer: String?) -> Bool {
        guard let peer else { return false }
        return networks.contains { $0.contains(peer) }
    }

    /// Returns the address of the caller.
    ///
    /// 1. The values of a peer that is not a proxy are ignored, because a caller can write any address into them.
    /// 2. The addresses are read from the end, where the nearest proxy has appended one. Each is the peer of a proxy,
    ///    so the next one counts only if this one is a proxy, too, and at most ``hops`` of them count.
    /// 3. A text that is not an IP address ends the search. Otherwise each such text would have a separate limit.
    ///
    /// - Parameters:
    ///   - peer: The address of the connection; `nil` for a local socket, which is not a proxy.
    ///   - values: The values of ``header``, in the order of the request.
    func caller(_ peer: String?, _ values: [String]) -> String? {
        guard trust(peer) else { return peer }
        var elements = ForwardedElements(values, header)
        var caller = peer
        for _ in 0..<hops {
            guard trust(caller), let element = elements.popLast(), let address = ForwardedElements.address(in: element)
            else { break }
            caller = address
        }
        return caller
    }
}
