internal import Hummingbird
internal import TrustedIdentity

/// What the server knows about a request beside its head and body.
struct ServerContext: RequestContext {
    var coreContext: CoreRequestContextStorage
    /// The network address that the connection comes from, without the port. A local socket has none.
    let peerAddress: String?
    /// Names this request in logs, errors and the answer's header.
    var correlationID = ""
    /// What the caller's API key allows, once it was checked.
    var scope: APIKeyScope?

    var maxUploadSize: Int { JSONBody.limit }

    init(source: ApplicationRequestContextSource) {
        coreContext = .init(source: source)
        peerAddress = source.channel.remoteAddress?.ipAddress
    }
}
