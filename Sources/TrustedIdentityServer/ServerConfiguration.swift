/// Where and how a ``Server`` listens.
public struct ServerConfiguration: Sendable, Hashable {
    /// The address to listen on: a name or an IP address. The loopback interface unless told otherwise.
    public var host: String

    /// The port, 0 for one that is free.
    public var port: Int

    /// The domain of users who are named without one.
    public var defaultDomain: String

    /// Whether a proxy stands in front that appends the caller's address to `X-Forwarded-For`.
    ///
    /// Requests that prove no device are limited by address. Behind a proxy all of them come from its address unless
    /// this is set; without a proxy it would let callers choose theirs.
    public var isBehindProxy: Bool

    /// Puts a configuration together.
    public init(
        host: String = "127.0.0.1", port: Int = 8080, defaultDomain: String = "master", isBehindProxy: Bool = false
    ) {
        self.host = host
        self.port = port
        self.defaultDomain = defaultDomain
        self.isBehindProxy = isBehindProxy
    }
}
