internal import Hummingbird
package import Logging
internal import ServiceLifecycle
package import TrustedIdentity

#if canImport(Darwin)
    internal import Darwin
#elseif canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#endif

/// Answers administrators on a Unix domain socket in the data folder.
///
/// Who may open the socket may administer: the folder has mode 0700 and the socket 0600, so that is the user who runs
/// the server, and root. There is no key beside that.
package struct AdministrationServer: Service {
    /// Where requests are posted.
    package static let path = "/administration"

    private let administrator: Administrator
    private let socket: String
    private let logger: Logger

    /// - Parameter socket: the path of the socket. What lies there is replaced: the caller holds the lock of the data.
    package init(platform: Platform, socket: String, logger: Logger) {
        administrator = Administrator(platform: platform)
        self.socket = socket
        self.logger = logger.quiet
    }

    /// Whether a path can be the address of a socket (`sun_path`, with its closing zero byte).
    package static func fits(_ path: String) -> Bool {
        path.utf8.count < MemoryLayout.size(ofValue: sockaddr_un().sun_path) && !path.utf8.contains(0)
    }

    /// Serves until the group it runs in shuts down.
    package func run() async throws {
        let router = Router(context: BasicRequestContext.self)
        router.post("administration") { [administrator] request, _ in
            let question = try await JSONBody.decode(AdministrationRequest.self, from: request)
            return try JSONBody.response(try await administrator.perform(question))
        }
        let application = Application(
            router: router,
            configuration: .init(address: .unixDomainSocket(path: socket)),
            onServerRunning: { [socket] _ in
                // The folder keeps others out already; this holds if somebody opens the folder.
                _ = unsafe chmod(socket, 0o600)
            },
            logger: logger)
        try await application.run()
        _ = unsafe unlink(socket)
    }
}
