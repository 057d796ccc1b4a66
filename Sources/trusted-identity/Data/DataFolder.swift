internal import CLibrary
internal import CommandLineReports
internal import Logging
internal import Primitives
internal import TrustedIdentity
internal import TrustedIdentitySQLite
internal import TrustedIdentityServer

/// The folder with the data of one platform: `platform.sqlite` (with its lock and journal), `master.key`, `change.key`, `tenant`,
/// and `admin.sock` while the server runs.
struct DataFolder {
    enum Mode {
        case makeIfMissing, mustExist
    }

    let path: String

    var databasePath: String { path + "/platform.sqlite" }
    private var masterKeyPath: String { path + "/master.key" }
    private var changeKeyPath: String { path + "/change.key" }
    private var tenantPath: String { path + "/tenant" }
    var socketPath: String { path + "/admin.sock" }

    /// Creates the value for a folder that exists, or makes the folder with mode 0700.
    ///
    /// A folder that other users may enter is refused.
    init(path: String, mode: Mode) throws(ErrorReport) {
        var trimmed = path[...]
        while trimmed.count > 1, trimmed.hasSuffix("/") { trimmed.removeLast() }
        guard !trimmed.isEmpty, !trimmed.utf8.contains(0) else { throw ErrorReport(.usage, "--data is empty") }
        self.path = String(trimmed)
        if case .makeIfMissing = mode, unsafe mkdir(self.path, 0o700) != 0, errno != EEXIST {
            throw ErrorReport(
                .storage, "cannot make the folder \(self.path): \(SystemCall.message(of: errno))",
                hint: "the folder above it must exist")
        }
        var status = stat()
        guard unsafe stat(self.path, &status) == 0, status.st_mode & S_IFMT == S_IFDIR else {
            throw ErrorReport(
                .storage, "there is no folder \(self.path)",
                hint: "trusted-identity serve makes it on the first start")
        }
        // With write access, another user could replace the database; with access, connect to the socket.
        guard status.st_mode & 0o077 == 0 else {
            throw ErrorReport(
                .storage, "the folder \(self.path) is open to other users", hint: "chmod 700 \(self.path)")
        }
    }

    /// Checks the length of the socket's path, which has a lower limit than the path of a file.
    func checkSocketPath() throws(ErrorReport) {
        guard AdministrationServer.fits(socketPath) else {
            throw ErrorReport(
                .usage, "the path \(socketPath) is too long for a socket", hint: "use a shorter path for --data")
        }
    }

    /// Takes the lock, opens the data, and closes it after the body. On the first start, makes what is missing.
    ///
    /// - Parameters:
    ///   - tenant: The tenant, or nil for the tenant that the folder was made for.
    ///   - policy: The policy of the platform. Administration decides nothing by it.
    ///   - server: The configuration of the REST API.
    ///   - logger: The logger of the platform and of its servers.
    ///   - body: Uses the installation.
    /// - Returns: The result of the body.
    func withInstallation<Result: Sendable>(
        tenant: String? = nil, policy: Policy = .default, server: ServerConfiguration = .init(), logger: Logger,
        _ body: (Installation) async throws -> Result
    ) async throws -> Result {
        let isNew = !PrivateFile.exists(databasePath)
        // The key comes before the database: after a crash between the two, the next start uses this key. A database
        // without its key is a mistake, and a new key would only hide it.
        let masterKey = try isNew ? MasterKeyFile.loadOrMake(masterKeyPath) : MasterKeyFile.load(masterKeyPath)
        let store = try await SQLiteStore(path: databasePath)
        do {
            // A folder of an earlier version has no change key, and gets one. The lock is held, so that no other start makes
            // one at the same time.
            let isBound = try await store.read { try $0.platformState()?.changeKeyID != nil }
            let changeKey = try ChangeKeyFile.load(changeKeyPath, isBound: isBound)
            let installation = try await installation(
                on: store, masterKey: masterKey, changeKey: changeKey, tenant: tenant, policy: policy, server: server,
                logger: logger)
            let result = try await body(installation)
            try await store.close()
            return result
        } catch {
            try? await store.close()
            throw error
        }
    }

    /// Takes the lock, and replaces the change key.
    ///
    /// - Parameter usesFile: Whether the new key is the one in the file. Otherwise it is made, and there must be no file.
    func replaceChangeKey(usesFile: Bool, logger: Logger) async throws {
        let masterKey = try MasterKeyFile.load(masterKeyPath)
        let store = try await SQLiteStore(path: databasePath)
        do {
            guard try await store.read({ try $0.platformState()?.changeKeyID }) != nil else {
                throw ErrorReport(
                    .refused, "the platform has no change key yet", hint: "trusted-identity serve makes the first one")
            }
            guard usesFile || !PrivateFile.exists(changeKeyPath) else {
                throw ErrorReport(
                    .refused, "the change key \(changeKeyPath) is there, nothing was changed",
                    hint: "--use-file takes the key in the file; to make a new key, move the file away")
            }
            // The file comes before the database: after a crash between the two, --use-file takes the new key.
            let key = try usesFile ? ChangeKeyFile.read(changeKeyPath) : ChangeKeyFile.make(changeKeyPath)
            let tenant = try storedTenant() ?? PlatformConfiguration().tenant
            guard
                try await Platform.replaceChangeKey(
                    with: key, on: store, masterKey: masterKey, tenant: tenant, logger: logger)
            else {
                throw ErrorReport(.refused, "the key in the file is the change key already, nothing was changed")
            }
            try await store.close()
        } catch {
            try? await store.close()
            throw error
        }
    }

    private func installation(
        on store: SQLiteStore, masterKey: MasterKey, changeKey: ChangeKey, tenant: String?, policy: Policy,
        server: ServerConfiguration, logger: Logger
    ) async throws -> Installation {
        let stored = try storedTenant()
        let name = tenant ?? stored ?? PlatformConfiguration().tenant
        if let stored, stored != name {
            throw ErrorReport(
                .storage, "the folder belongs to another tenant", hint: "leave --tenant out to use the folder's own")
        }
        let installation = try await Installation(
            platform: PlatformConfiguration(tenant: name, policy: policy), server: server, store: store,
            masterKey: masterKey, changeKey: changeKey,
            logger: logger)
        if stored == nil { try PrivateFile.make(tenantPath, SecretBytes(copying: (name + "\n").utf8)) }
        return installation
    }

    /// Returns the tenant that the folder was made for, so that administration does not need an option for it.
    private func storedTenant() throws(ErrorReport) -> String? {
        guard PrivateFile.exists(tenantPath) else { return nil }
        let bytes = try PrivateFile.read(tenantPath, limit: 65)
        return bytes.withBytes { span in
            String(decoding: span.indices.map { span[$0] }.filter { $0 != UInt8(ascii: "\n") }, as: UTF8.self)
        }
    }
}
