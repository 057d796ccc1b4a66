internal import CLibrary
internal import CommandLine
internal import Logging
internal import Primitives
internal import TrustedIdentity
internal import TrustedIdentityServer

/// The folder with the data of one platform: `platform.sqlite` (with its lock and journal), `tenant`, `admin.sock`
/// while the server runs, and `master.key` if the configuration specifies no other place for it.
///
/// With a database on a server, each process has a separate folder without `platform.sqlite`. The note `migrated`
/// states that the rows of `platform.sqlite` were moved to a database on a server.
struct DataFolder {
    enum Mode {
        case makeIfMissing, mustExist
    }

    let path: String

    var databasePath: String { path + "/platform.sqlite" }
    var masterKeyPath: String { path + "/master.key" }
    var tenantPath: String { path + "/tenant" }
    var socketPath: String { path + "/admin.sock" }
    var migratedPath: String { path + "/" + Self.migrated }

    /// The name of the note that `migrate` leaves in the folder: the address of the database, without a password.
    static let migrated = "migrated"

    /// Creates the value for the folder that a configuration names.
    init(of configuration: InstallationConfiguration, mode: Mode) throws(ErrorReport) {
        guard let path = configuration.dataFolder else {
            throw ErrorReport(
                .usage, "no data folder is named",
                hint: "--data names it, or the variable TRUSTED_IDENTITY_DATA, or data in the configuration file")
        }
        try self.init(path: path, mode: mode)
    }

    /// Creates the value for a folder that exists, or creates the folder with mode 0700.
    ///
    /// A folder of another user, or one that other users may enter, is refused.
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
        guard unsafe stat(self.path, &status) == 0 else {
            let number = errno
            throw ErrorReport(
                .storage, "cannot open the folder \(self.path): \(SystemCall.message(of: number))",
                hint: number == EACCES
                    ? "run the command as the user that runs trusted-identity serve"
                    : "trusted-identity serve makes it on the first start")
        }
        guard status.st_mode & S_IFMT == S_IFDIR else {
            throw ErrorReport(.storage, "\(self.path) is not a folder", hint: "name the folder of the data with --data")
        }
        // The owner could replace the database and read the keys.
        guard status.st_uid == geteuid() else {
            throw ErrorReport(
                .storage, "the folder \(self.path) belongs to another user",
                hint: "run the command as its owner, or name another folder with --data")
        }
        // With write access, another user could replace the database; with any access, connect to the socket.
        guard status.st_mode & 0o077 == 0 else {
            throw ErrorReport(
                .storage, "the folder \(self.path) is open to other users",
                hint: "if it is for the data alone, chmod 700 \(self.path); otherwise name another folder with --data")
        }
    }

    /// Checks the length of the socket's path, whose limit is lower than the limit for a file's path.
    func checkSocketPath() throws(ErrorReport) {
        guard AdministrationServer.fits(socketPath) else {
            throw ErrorReport(
                .usage, "the path \(socketPath) is too long for a socket", hint: "use a shorter path for --data")
        }
    }

    /// Returns whether a file is in this folder, whatever form its path has.
    func contains(_ file: String) -> Bool {
        let parent = file.lastIndex(of: "/").map { $0 == file.startIndex ? "/" : String(file[..<$0]) } ?? "."
        var (own, other) = (stat(), stat())
        return unsafe stat(path, &own) == 0 && stat(parent, &other) == 0 && own.st_ino == other.st_ino
            && own.st_dev == other.st_dev
    }

    /// Checks that a configuration names the kind of database that contains the folder's data: SQLite before `migrate`,
    /// and one on a server afterwards.
    func checkDatabase(of configuration: InstallationConfiguration) throws(ErrorReport) {
        let isMigrated = PrivateFile.exists(migratedPath)
        guard configuration.database == nil else {
            guard isMigrated || !PrivateFile.exists(databasePath) else {
                throw ErrorReport(
                    .storage, "the folder \(path) has platform.sqlite, and the setting database names another database",
                    hint: "trusted-identity migrate moves the data; for another platform, use another folder")
            }
            return
        }
        guard isMigrated else { return }
        throw ErrorReport(
            .storage, "the data of the folder \(path) was moved to a database on a server\(migrationTarget)",
            hint: "name it with --database, TRUSTED_IDENTITY_DATABASE, or database in the configuration file")
    }

    /// Opens the data and closes it after the body. The first start of a server creates missing parts.
    ///
    /// - Parameters:
    ///   - configuration: The configuration. A tenant that it does not name is the one that the folder was made for.
    ///   - keys: The keys of the configuration.
    ///   - database: The database of the configuration.
    ///   - purpose: The purpose for which the database is opened.
    ///   - gateways: The gateways of notifications, by scheme.
    ///   - logger: The logger of the platform and of its servers.
    ///   - body: Uses the installation.
    /// - Returns: The result of the body.
    func withInstallation<Result: Sendable>(
        _ configuration: InstallationConfiguration, keys: InstallationKeys, database: ConfiguredDatabase,
        for purpose: ConfiguredDatabase.Purpose, gateways: [String: any NotificationGateway] = [:],
        events: (any EventGateway)? = nil, logger: Logger, _ body: (Installation) async throws -> Result
    ) async throws -> Result {
        // The key is written before the file: after a crash between the two, the next start uses this key. A database
        // without its key is a mistake, and a new key would only hide it.
        let isNew = !database.isOnServer && !PrivateFile.exists(databasePath)
        guard !isNew || !PrivateFile.exists(tenantPath) else {
            throw ErrorReport.databaseMissing(in: path, onServer: false)
        }
        let keyOfFile = database.isOnServer ? nil : try keys.masterKey(isNew: isNew)
        let others = try keys.nextMasterKey().map { [$0] } ?? []
        let limits = WriterLimits(deadline: .seconds(5))
        return try await database.use(orFile: databasePath, for: purpose, limits, logger: logger) { store in
            let masterKey = if let keyOfFile { keyOfFile } else { try await keyOfServer(keys, store, purpose) }
            let stored = try storedTenant()
            var configuration = configuration
            configuration.platform.tenant = try tenant(of: configuration, stored: stored)
            let installation = try await Installation(
                configuration: configuration, store: store, masterKey: masterKey, otherMasterKeys: others,
                nextMasterKey: { try? keys.nextMasterKey() }, gateways: gateways, events: events, logger: logger)
            if stored == nil {
                try PrivateFile.make(tenantPath, SecretBytes(copying: (configuration.platform.tenant + "\n").utf8))
            }
            return try await body(installation)
        }
    }

    /// Takes the lock, and replaces the database with a backup that the keys open.
    ///
    /// - Parameters:
    ///   - file: The backup.
    ///   - aside: The path for the previous database.
    ///   - mark: Marks the restored data. An error leaves the previous database in place.
    func restore<Result: Sendable>(
        _ configuration: InstallationConfiguration, keys: InstallationKeys, from file: String,
        keepingEarlierAt aside: String, _ mark: (AdministrationClient) async throws -> Result
    ) async throws -> Result {
        let masterKey = try keys.masterKey(isNew: false)
        let others = try keys.nextMasterKey().map { [$0] } ?? []
        let stored = try storedTenant()
        var configuration = configuration
        configuration.platform.tenant = try tenant(of: configuration, stored: stored)
        let result = try await SQLiteDatabase.restore(databasePath, from: file, keepingEarlierAt: aside) { store in
            guard try await store.read({ try $0.platformState() }) != nil else { throw ErrorReport.notABackup(file) }
            let installation = try await Installation(
                configuration: configuration, store: store, masterKey: masterKey, otherMasterKeys: others)
            return try await mark(AdministrationClient(installation))
        }
        if stored == nil {
            try PrivateFile.make(tenantPath, SecretBytes(copying: (configuration.platform.tenant + "\n").utf8))
        }
        return result
    }

    /// Opens the data for this process alone, and replaces the keys of the rows.
    ///
    /// - Returns: The numbers of rows.
    func replaceDataKeys(
        _ configuration: InstallationConfiguration, keys: InstallationKeys, database: ConfiguredDatabase,
        forgettingSources: Bool, logger: Logger, progress: @escaping @Sendable (Int) -> Void
    ) async throws -> DataKeysReport {
        let masterKey = try keys.masterKey(isNew: false)
        let others = try keys.nextMasterKey().map { [$0] } ?? []
        return try await database.use(
            orFile: databasePath, for: .exclusiveAdministration, WriterLimits(), logger: logger
        ) { store in
            try await Platform.replaceDataKeys(
                on: store, masterKey: masterKey, otherMasterKeys: others,
                tenant: tenant(of: configuration, stored: try storedTenant()), forgettingSources: forgettingSources,
                progress: progress)
        }
    }

    /// The report of a command that finds no `platform.sqlite` in the folder.
    var noDatabase: ErrorReport {
        PrivateFile.exists(tenantPath)
            ? ErrorReport.databaseMissing(in: path, onServer: false) : ErrorReport.noPlatform(in: path)
    }

    /// Returns the tenant that the folder was made for. Administration therefore needs no option for it.
    func storedTenant() throws(ErrorReport) -> String? {
        guard PrivateFile.exists(tenantPath) else { return nil }
        let bytes = try PrivateFile.read(tenantPath, limit: 65)
        return bytes.withBytes { span in
            String(decoding: span.indices.map { span[$0] }.filter { $0 != UInt8(ascii: "\n") }, as: UTF8.self)
        }
    }

    /// Returns the master key of a database on a server. The first server of an empty database creates the file, and
    /// then the row about the platform: after a crash between the two, the next start uses this key.
    private func keyOfServer(
        _ keys: InstallationKeys, _ store: any SQLDatabase, _ purpose: ConfiguredDatabase.Purpose
    ) async throws -> MasterKey {
        let isNew = try await store.read { try $0.platformState() == nil }
        guard !isNew || purpose == .serving else { throw ErrorReport.noPlatform(in: "the database") }
        guard !isNew || !PrivateFile.exists(tenantPath) else {
            throw ErrorReport.databaseMissing(in: path, onServer: true)
        }
        return try keys.masterKey(isNew: isNew)
    }

    /// The database that the note of a migration names, in parentheses; empty where the note cannot be read.
    private var migrationTarget: String {
        guard let bytes = try? PrivateFile.read(migratedPath, limit: 512) else { return "" }
        let text = bytes.withBytes { span in String(decoding: span.indices.map { span[$0] }, as: UTF8.self) }
        return text.split(whereSeparator: \.isNewline).first.map { " (\($0))" } ?? ""
    }

    private func tenant(
        of configuration: InstallationConfiguration, stored: String?
    ) throws(ErrorReport) -> String {
        let name = configuration.platform.tenant
        guard let stored else { return name }
        guard !configuration.isTenantNamed || stored == name else {
            throw ErrorReport(
                .storage, "the folder belongs to another tenant",
                hint: "leave --tenant and the setting tenant out to use the folder's own")
        }
        return stored
    }
}

extension ErrorReport {
    /// The report of a folder whose note `tenant` shows that it was in use, and whose database is empty or missing: a
    /// server would create an empty platform.
    fileprivate static func databaseMissing(in folder: String, onServer: Bool) -> ErrorReport {
        onServer
            ? ErrorReport(
                .storage, "the folder \(folder) was in use, and the database on the server is empty",
                hint: "name the database of the folder with --database; for a new platform, use another folder")
            : ErrorReport(
                .storage, "the folder \(folder) was in use, and it has no platform.sqlite",
                hint: "name the database on a server with --database, or run trusted-identity restore with a backup; "
                    + "for a new platform, use another folder")
    }
}
