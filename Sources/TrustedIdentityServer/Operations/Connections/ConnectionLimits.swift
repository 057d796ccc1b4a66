/// The limits of connections and requests. They bound what callers can hold that send nothing, or send slowly.
public struct ConnectionLimits: Sendable, Hashable {
    /// The maximum number of open connections.
    ///
    /// For a further connection, the server closes the longest idle connection of the network with the most idle
    /// connections. A connection is idle while the platform works on none of its requests. A connection on which an API
    /// key or a device was proven is closed after all others. When no connection is idle, the further one is closed.
    public var connections = 16_000

    /// The maximum number of open connections of an address, or of 64 bits of an IPv6 address. A further connection
    /// replaces an idle one of the same network. Trusted proxies have no such limit.
    public var connectionsPerAddress = 500

    /// The time after which a connection is closed whose caller sends nothing, sends only a part of the headers of a
    /// request, or does not read its answers.
    public var idleTimeout = Duration.seconds(60)

    /// The maximum number of headers of a request.
    public var headerFields = 100

    /// The maximum number of bytes of a header.
    public var headerFieldBytes = 16_384

    /// The maximum number of bytes of all headers of a request.
    public var headerBytes = 32_768

    /// The maximum time for the body of a request to arrive, from the end of its headers.
    public var bodyTimeout = Duration.seconds(30)

    /// The maximum time for the answer to a request that does not wait for a user.
    public var requestTimeout = Duration.seconds(30)

    /// Creates the limits with their defaults.
    public init() {}
}
