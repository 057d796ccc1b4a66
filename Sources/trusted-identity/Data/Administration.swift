internal import CommandLine
internal import Logging
internal import TrustedIdentity
internal import TrustedIdentityServer

/// Administration of a platform, whether its server runs or not.
///
/// The process that holds the lock of the data performs each request. While a server runs, this is the server, which
/// receives requests over its socket. Otherwise this process takes the lock. A server that starts or stops briefly
/// holds the lock without a socket, so both ways are tried for some seconds. A request is never sent twice.
///
/// With a database on a server, this process always performs the request itself, next to the servers.
struct Administration {
    private static let silent = Logger(label: TrustedIdentityCommand.name) { _ in SwiftLogNoOpLogHandler() }

    private let configuration: InstallationConfiguration
    private let folder: DataFolder
    private let keys: InstallationKeys
    private let database: ConfiguredDatabase

    init(data: DataOption) throws(ErrorReport) {
        configuration = try ProgramConfiguration.read(data).configuration
        folder = try DataFolder(of: configuration, mode: .mustExist)
        try folder.checkDatabase(of: configuration)
        keys = InstallationKeys(configuration, folder: folder)
        database = try ConfiguredDatabase(configuration)
        guard database.isOnServer || PrivateFile.exists(folder.databasePath) else {
            throw folder.noDatabase
        }
    }

    /// Returns a name or an id as a segment of a path.
    static func segment(_ text: String) throws(ErrorReport) -> String {
        // A different route would answer a path without the segment.
        guard !text.isEmpty else { throw ErrorReport(.usage, "the name or the id is empty") }
        return AdministrationClient.escaped(text)
    }

    /// Sends a request, and returns the reply.
    ///
    /// - Parameter isLong: Whether the platform reads a whole table for the reply.
    /// - Throws: The errors of ``withClient(gateways:_:)``.
    func send<Reply: Decodable & Sendable>(
        _ method: AdministrationClient.Method, _ path: String, _ body: (any Encodable & Sendable)? = nil,
        isLong: Bool = false
    ) async throws -> Reply {
        try await withClient { try await $0.send(method, path, body, isLong: isLong) }
    }

    /// Sends a request that leads to push services, and returns the reply. When no server runs, this process connects to
    /// the services.
    ///
    /// - Throws: The errors of ``withClient(gateways:_:)``; `ErrorReport` for a file of a gateway.
    func sendThroughGateways<Reply: Decodable & Sendable>(
        _ method: AdministrationClient.Method, _ path: String
    ) async throws -> Reply {
        var reply: Reply?
        try await ConfiguredGateways(configuration).use { gateways, _ in
            reply = try await withClient(gateways: gateways) { try await $0.send(method, path) }
        }
        guard let reply else { throw AdministrationError.badAnswer }
        return reply
    }

    /// Sends a request whose reply states only that it was done.
    ///
    /// - Throws: The errors of ``withClient(gateways:_:)``.
    func complete(_ method: AdministrationClient.Method, _ path: String) async throws {
        let _: StatusReply = try await send(method, path)
    }

    /// Replaces the keys of the rows. A running server has the previous keys in memory, and must be stopped first.
    ///
    /// - Returns: The numbers of rows.
    /// - Throws: `DatabaseError` when another process has the database open;
    ///   `PlatformError`.
    func replaceDataKeys(
        forgettingSources: Bool, progress: @escaping @Sendable (Int) -> Void
    ) async throws -> DataKeysReport {
        try await folder.replaceDataKeys(
            configuration, keys: keys, database: database, forgettingSources: forgettingSources, logger: Self.silent,
            progress: progress)
    }

    /// Whether the database is on a server, which other processes share.
    var isOnServer: Bool { database.isOnServer }

    /// The files of the master keys.
    var masterKeyFiles: MasterKeyFiles { get throws(ErrorReport) { try keys.masterKeyFiles } }

    /// Returns the key that replaces the master key; nil if there is none.
    func nextMasterKey() throws(ErrorReport) -> MasterKey? { try keys.nextMasterKey() }

    /// Performs an operation with a client of the running server, or of this process when no server runs. Tries again
    /// while another process holds the lock.
    ///
    /// - Parameters:
    ///   - gateways: The gateways of notifications of this process, by scheme.
    ///   - purpose: The purpose for which a database on a server is opened.
    /// - Throws: ``AdministrationRefusal`` when a request is refused, ``AdministrationError`` when a server's answer is
    ///   wrong or missing, `DatabaseError` when the database cannot be opened or another process holds its lock for too
    ///   long, and the errors of the store and of the platform.
    func withClient<R: Sendable>(
        gateways: [String: any NotificationGateway] = [:],
        for purpose: ConfiguredDatabase.Purpose = .administration,
        _ body: (AdministrationClient) async throws -> R
    ) async throws -> R {
        guard !database.isOnServer else { return try await withInstallation(gateways, purpose, body) }
        var last: any Error = AdministrationError.unreachable
        for _ in 0..<50 {
            do {
                return try await body(AdministrationClient(socket: folder.socketPath))
            } catch AdministrationError.unreachable {
                // Nothing was sent.
            }
            do {
                return try await withInstallation(gateways, purpose, body)
            } catch let error as DatabaseError where error.code == .inUse {
                last = error
            }
            try await Task.sleep(for: .milliseconds(100))
        }
        throw last
    }

    private func withInstallation<R: Sendable>(
        _ gateways: [String: any NotificationGateway], _ purpose: ConfiguredDatabase.Purpose,
        _ body: (AdministrationClient) async throws -> R
    ) async throws -> R {
        try await folder.withInstallation(
            configuration, keys: keys, database: database, for: purpose, gateways: gateways, logger: Self.silent
        ) { try await body(AdministrationClient($0)) }
    }
}
