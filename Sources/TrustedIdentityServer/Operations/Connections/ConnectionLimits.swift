/// The limits of connections and requests. They bound what callers can hold that say nothing, or say it slowly.
public struct ConnectionLimits: Sendable, Hashable {
    /// The maximum number of open connections.
    ///
    /// For a further one, the network with the most idle connections loses the one that is idle for the longest time. A
    /// connection is idle while the platform works on no request of it. One on which an API key or a device was proven
    /// is closed after all others. When none is idle, the further one is closed.
    public var connections = 16_000

    /// The maximum number of open connections of an address, or of 64 bits of an IPv6 address. A further one takes the
    /// place of an idle one of the same network. Trusted proxies have no such limit.
    public var connectionsPerAddress = 500

    /// The time after which a connection is closed that sends nothing, or only a part of the headers of a request, or
    /// that does not read its answers.
    public var idleTimeout = Duration.seconds(60)

    /// The maximum number of headers of a request.
    public var headerFields = 100

    /// The maximum number of bytes of a header.
    public var headerFieldBytes = 16_384

    /// The maximum number of bytes of all headers of a request.
    public var headerBytes = 32_768

    /// The time in which the body of a request arrives, from the end of its headers.
    public var bodyTimeout = Duration.seconds(30)

    /// The time in which a request is answered that does not wait for a user.
    public var requestTimeout = Duration.seconds(30)

    /// Creates the limits with their defaults.
    public init() {}
}
