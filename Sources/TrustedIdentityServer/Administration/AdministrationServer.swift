internal import CLibrary
internal import Hummingbird
internal import Logging
internal import ServiceLifecycle

/// The administration of a platform over a Unix domain socket in the data folder.
///
/// The permissions of the socket are the only protection: the folder has mode 0700 and the socket 0600, so only the user
/// of the server process and root can connect.
package struct AdministrationServer: Service {
    /// The path that requests are posted to.
    static let path = "/administration"

    private let administrator: Administrator
    private let socket: String
    private let logger: Logger

    /// Creates a server.
    ///
    /// - Parameter socket: the path of the socket. A file at that path is replaced, so the caller must hold the lock of
    ///   the data.
    init(administrator: Administrator, socket: String, logger: Logger) {
        self.administrator = administrator
        self.socket = socket
        self.logger = logger.quiet
    }

    /// Whether a path can be the address of a socket (`sun_path`, with its closing zero byte).
    package static func fits(_ path: String) -> Bool {
        path.utf8.count < MemoryLayout.size(ofValue: sockaddr_un().sun_path) && !path.utf8.contains(0)
    }

    /// Serves until its service group shuts down.
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
                // The folder already keeps other users out. This still holds when its permissions are changed.
                _ = unsafe chmod(socket, 0o600)
            },
            logger: logger)
        try await application.run()
        _ = unsafe unlink(socket)
    }
}
