internal import CLibrary
internal import Hummingbird
internal import Logging
internal import ServiceLifecycle

/// The administration of a platform over a Unix domain socket in the data folder.
///
/// The permissions of the socket are the only protection: the folder has mode 0700 and the socket 0600. Only the user of
/// the server process and root can connect.
package struct AdministrationServer: Service {
    private let routes: AdministrationRoutes
    private let socket: String
    private let logger: Logger
    private let onListening: @Sendable () async -> Void

    /// Creates a server.
    ///
    /// - Parameters:
    ///   - socket: The path of the socket. A file at that path is replaced, so the caller must hold the lock of the
    ///     data.
    ///   - logger: The logger for failures.
    ///   - onListening: Called once, when connections are accepted.
    init(
        _ routes: AdministrationRoutes, socket: String, logger: Logger,
        onListening: @escaping @Sendable () async -> Void = {}
    ) {
        self.routes = routes
        self.socket = socket
        self.logger = logger.quiet
        self.onListening = onListening
    }

    /// Whether a path can be the address of a socket (`sun_path`, with its closing zero byte).
    package static func fits(_ path: String) -> Bool {
        path.utf8.count < MemoryLayout.size(ofValue: sockaddr_un().sun_path) && !path.utf8.contains(0)
    }

    /// Serves until its service group shuts down, or its task is canceled.
    package func run() async throws {
        let application = Application(
            router: routes.router(for: .owner),
            configuration: .init(address: .unixDomainSocket(path: socket)),
            onServerRunning: { [socket, onListening] _ in
                // The folder already keeps other users out. The mode of the socket still keeps them out when the
                // folder's permissions are changed.
                _ = unsafe chmod(socket, 0o600)
                await onListening()
            },
            logger: logger)
        try await HTTPListener.run(application, logger: logger)
    }
}
