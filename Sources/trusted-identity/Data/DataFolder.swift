internal import Logging
internal import Primitives
internal import TrustedIdentity
internal import TrustedIdentitySQLite
internal import TrustedIdentityServer

#if canImport(Darwin)
    internal import Darwin
#elseif canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#endif

/// The folder with everything that one platform keeps: `platform.sqlite` (with its lock and journal), `master.key`,
/// `tenant`, and `admin.sock` while it runs.
struct DataFolder {
    enum Mode {
        case makeIfMissing, mustExist
    }

    /// A platform in this process, alone with its data.
    struct Opened {
        let store: SQLiteStore
        let platform: Platform
    }

    let path: String

    var databasePath: String { path + "/platform.sqlite" }
    var masterKeyPath: String { path + "/master.key" }
    var tenantPath: String { path + "/tenant" }
    var socketPath: String { path + "/admin.sock" }

    /// Takes a folder, or makes it with mode 0700.
    init(path: String, mode: Mode) throws(Failure) {
        var trimmed = path[...]
        while trimmed.count > 1, trimmed.hasSuffix("/") { trimmed.removeLast() }
        guard !trimmed.isEmpty, !trimmed.utf8.contains(0) else { throw Failure(.usage, "--data is empty") }
        self.path = String(trimmed)
        if case .makeIfMissing = mode, unsafe mkdir(self.path, 0o700) != 0, errno != EEXIST {
            throw Failure(
                .storage, "cannot make the folder \(self.path): \(SystemError.text(errno))",
                hint: "the folder above it must exist")
        }
        var status = stat()
        guard unsafe stat(self.path, &status) == 0, status.st_mode & S_IFMT == S_IFDIR else {
            throw Failure(
                .storage, "there is no folder \(self.path)",
                hint: "trusted-identity serve makes it on the first start")
        }
        // Whoever may write here may replace the database; whoever may enter may try the socket.
        guard status.st_mode & 0o077 == 0 else {
            throw Failure(
                .storage, "the folder \(self.path) is open to other users", hint: "chmod 700 \(self.path)")
        }
    }

    /// A Unix socket's path has a bound that a path of a file has not.
    func checkSocketPath() throws(Failure) {
        guard AdministrationServer.fits(socketPath) else {
            throw Failure(
                .usage, "the path \(socketPath) is too long for a socket", hint: "use a shorter path for --data")
        }
    }

    /// Takes the lock and opens the data; makes what is missing on the first start.
    ///
    /// - Parameter tenant: nil to take the one that the folder was made for.
    func open(tenant: String?, logger: Logger) async throws -> Opened {
        let isNew = !PrivateFile.exists(databasePath)
        let store = try await SQLiteStore(path: databasePath)
        let stored = try TenantFile.load(tenantPath)
        let name = tenant ?? stored ?? PlatformConfiguration().tenant
        if let stored, stored != name {
            throw Failure(
                .storage, "the folder belongs to another tenant", hint: "leave --tenant out to use the folder's own")
        }
        // A database without its key is a mistake that a new key would only hide.
        let masterKey = try isNew ? MasterKeyFile.loadOrMake(masterKeyPath) : MasterKeyFile.load(masterKeyPath)
        let platform = try await Platform(
            configuration: PlatformConfiguration(tenant: name), store: store, masterKey: masterKey, logger: logger)
        if stored == nil { try TenantFile.save(name, to: tenantPath) }
        return Opened(store: store, platform: platform)
    }
}
