internal import CLibrary
internal import Hummingbird
package import Logging
package import Primitives
internal import ServiceLifecycle
internal import TrustedIdentity

/// The administration of a platform over a Unix domain socket in the data folder.
///
/// The permissions of the socket are the only protection: the folder has mode 0700 and the socket 0600, so only the
/// user of the server process and root can connect.
package struct AdministrationServer: Service {
    /// The path that requests are posted to.
    static let path = "/administration"
    /// The path that the file for a restore is posted to.
    static let restorePath = "/administration/restore"
    /// The path that an exported audit log is read from, with the number of its first entry as `first`.
    static let exportPath = "/administration/audit"
    /// The path that the entries before a date are read from, in order to prune them: `date`.
    static let pruningPath = "/administration/audit/before"
    /// The path that an extract of the audit log is read from, for a `user`.
    static let extractPath = "/administration/audit/extract"

    private let administrator: Administrator
    private let socket: String
    private let random: any RandomSource
    private let logger: Logger
    private let management: ManagementRoutes

    /// Creates a server.
    ///
    /// - Parameters:
    ///   - administrator: The administration of the platform.
    ///   - socket: The path of the socket. A file at that path is replaced, so the caller must hold the lock of the
    ///     data.
    ///   - random: The source of correlation ids.
    ///   - logger: The logger for failures.
    package init(administrator: Administrator, socket: String, random: any RandomSource, logger: Logger) {
        self.administrator = administrator
        self.socket = socket
        self.random = random
        self.logger = logger.quiet
        management = ManagementRoutes(
            readiness: ReadinessCheck(administrator.platform), metrics: PrometheusMetrics.shared)
    }

    /// Whether a path can be the address of a socket (`sun_path`, with its closing zero byte).
    package static func fits(_ path: String) -> Bool {
        path.utf8.count < MemoryLayout.size(ofValue: sockaddr_un().sun_path) && !path.utf8.contains(0)
    }

    /// Serves until its service group shuts down.
    package func run() async throws {
        let router = Router(context: BasicRequestContext.self)
        router.post(RouterPath(Self.path)) { request, _ in
            let question = try await JSONBody.decode(AdministrationRequest.self, from: request)
            return try JSONBody.response(try await reply { try await $0.perform(question) })
        }
        router.post(RouterPath(Self.restorePath)) { request, _ in
            let file = request.body.map { [UInt8]($0.readableBytesView) }
            return try JSONBody.response(try await reply { try await $0.restore(applying: file) })
        }
        router.get(RouterPath(Self.exportPath)) { request, _ in
            let first = request.uri.queryParameters.get("first", as: Int64.self)
            return try await export { try await $0.exportAudit(from: first) }
        }
        router.get(RouterPath(Self.pruningPath)) { request, _ in
            let date = request.uri.queryParameters.get("date") ?? ""
            return try await export { try await $0.exportAudit(before: date) }
        }
        router.get(RouterPath(Self.extractPath)) { request, _ in
            let user = request.uri.queryParameters.get("user") ?? ""
            return try await export { try await $0.auditExtract(of: user) }
        }
        management.add(to: router)
        let application = Application(
            router: router,
            configuration: .init(address: .unixDomainSocket(path: socket)),
            onServerRunning: { [socket] _ in
                // The folder already keeps other users out. This still holds when its permissions are changed.
                _ = unsafe chmod(socket, 0o600)
            },
            logger: logger)
        try await application.run()
    }

    /// Returns the answer with a file, which is read while it is sent.
    private func export<File: AsyncSequence & Sendable>(
        _ begin: (Administrator) async throws -> Result<File, ExportRefusal>
    ) async throws -> Response where File.Element == [UInt8] {
        var file: File?
        let failure = try await reply { administrator in
            switch try await begin(administrator) {
            case .success(let begun):
                file = begun
                return .done
            case .failure(let refusal): return refusal.reply
            }
        }
        guard let file else { return try JSONBody.response(failure) }
        return Response(
            status: .ok, headers: [.contentType: "application/jsonl"],
            body: ResponseBody(asyncSequence: file.map { ByteBuffer(bytes: $0) }))
    }

    /// Returns the reply to a request. A failure of the platform has one, too, and is logged with a correlation id.
    private func reply(
        _ perform: (Administrator) async throws -> AdministrationReply
    ) async throws -> AdministrationReply {
        let correlationID = Hex.encode(random.bytes(16))
        let administrator = administrator.acting(correlationID: correlationID)
        var logger = logger
        logger[metadataKey: "correlation.id"] = .string(correlationID)
        return try await withLogger(logger) { logger in
            do {
                return try await perform(administrator)
            } catch let error as PlatformError {
                // The platform has logged a failure of its store.
                if error.code != .storeFailed { logger.reportFailure(of: error) }
                return .failed(code: error.code.description, message: error.administratorMessage)
            }
        }
    }
}

extension PlatformError {
    /// The message for an administrator: that of the store's failure, where that is the cause.
    package var administratorMessage: String { (underlying as? PlatformStoreError)?.message ?? message }
}
