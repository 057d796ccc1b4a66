internal import ArgumentParser
internal import CommandLine
internal import Primitives
internal import TrustedIdentity
internal import TrustedIdentityServer

/// The program that serves and administers the platform.
@main
struct TrustedIdentityCommand: ReportingCommand {
    static let name = "trusted-identity"

    static let configuration = CommandConfiguration(
        commandName: name,
        abstract: "Serve and administer the platform.",
        discussion: """
            Exit codes: 0 done, 1 failed, 2 wrong usage, 3 refused (no such user, device or key, a device that is \
            revoked already, or a file that a restore cannot apply), 4 in use by another process, 5 the running server \
            cannot be asked, 6 the data cannot be used.
            """,
        version: PackageVersion.text,
        subcommands: [
            Serve.self, ConfigCommand.self, Key.self, PlatformKey.self, User.self, Device.self, PolicyCommand.self,
            Approval.self, Audit.self, MasterKeyCommand.self, Rekey.self, EventsCommand.self, Backup.self, Check.self,
            Restore.self, Restored.self, Migrate.self, Health.self, Metrics.self,
        ])

    static func main() async { await runAndExit() }

    static func report(of error: any Error) -> ErrorReport? {
        switch error {
        case let error as DatabaseError: ErrorReport(error)
        case let error as StoreError: ErrorReport(.storage, error.text)
        case let error as PlatformError: ErrorReport(error)
        case let error as ServerError: ErrorReport(error)
        case let error as MigrationError: ErrorReport(error)
        case let refusal as AdministrationRefusal: ErrorReport(refusal)
        case AdministrationError.unreachable: ErrorReport(.unreachable, "the running server cannot be asked")
        case AdministrationError.badAnswer: ErrorReport(.unreachable, "the running server gave a wrong answer")
        case AdministrationError.outcomeUnknown:
            ErrorReport(
                .unreachable, "the running server did not answer, and may have done what was asked",
                hint: "look before you repeat the command, with key list, platform-key list, device list or user show")
        case is CancellationError: ErrorReport(.failed, "canceled")
        default: nil
        }
    }
}

/// The user of a subcommand.
struct UserArgument: ParsableArguments {
    @Argument(help: "The user, with or without @domain.")
    var user: String

    /// The path of the user.
    var path: String { get throws(ErrorReport) { "v1/users/\(try Administration.segment(user))" } }
}

/// The form of results: an option of each subcommand that prints a result.
struct OutputOption: ParsableArguments {
    @Flag(name: .customLong("json"), help: "Print JSON, for programs.")
    var isJSON = false

    /// Prints the one word that is the result of a command.
    func print(status: String) throws {
        try StandardStream.output.print(["status": status], asJSON: isJSON, else: status)
    }
}

/// The confirmation of a command that cannot be undone.
struct Confirmation: ParsableArguments {
    @Flag(help: "Do not ask for a confirmation.")
    var yes = false

    /// Explains the command and asks for the word yes, unless the flag is set.
    func require(_ text: String) throws(ErrorReport) {
        guard !yes else { return }
        StandardStream.error.print(text)
        guard readLine() == "yes" else {
            throw ErrorReport(.refused, "not confirmed, nothing was changed", hint: "--yes skips the question")
        }
    }
}

extension ExitStatus {
    /// Another process has opened the data.
    static let inUse = Self(rawValue: 4)
    /// The running server cannot be reached.
    static let unreachable = Self(rawValue: 5)
}

extension ErrorReport {
    /// Creates the report of a refusal by the platform.
    fileprivate init(_ refusal: AdministrationRefusal) {
        switch (refusal.code, refusal.field) {
        case ("unknownAPIKey", _): self.init(.refused, "there is no such key", hint: "key list shows them")
        case ("apiKeyNameInUse", _):
            self.init(
                .refused, "another key has this name, or one that users cannot tell from it",
                hint: "choose another name, or revoke the other key first; key list shows it")
        case ("unknownUser", _), ("alreadyRevoked", _), ("deviceNotUnlockable", _), ("tooManyUnlockCodes", _):
            self.init(.refused, refusal.text)
        case ("unknownDevice", _), ("deviceRequired", _):
            self.init(.refused, refusal.text, hint: "device list shows them")
        case ("invalidUserName", _): self.init(.usage, "the name of the user is not allowed")
        case ("unknownApproval", _):
            self.init(
                .refused, "no pending approval request has this id",
                hint: "use the request id or session id of the reply; more than one request may have a session id")
        case ("keyAnnounced", _):
            self.init(
                .refused, "a new key is announced already",
                hint: "platform-key list shows from when on it is in use; rotate again after that")
        case ("clockBehind", _):
            self.init(
                .refused, "the clock is more than a day before the latest key statement, nothing was changed",
                hint: "set the clock right; --ignore-clock if the statement was made while the clock was ahead")
        case ("prunedEntry", _):
            self.init(
                .refused, "the entry was pruned from the audit log",
                hint: "it is in the file that audit prune has written")
        case ("malformedRequest", "deviceID"):
            self.init(.usage, "the id of a device has 32 hexadecimal digits", hint: "device list shows them")
        case ("malformedRequest", "limit"): self.init(.usage, "the limit is 1 to 1,000")
        case ("malformedRequest", "before"): self.init(.usage, "the number of entries is 1 or more")
        case ("malformedRequest", let field): self.init(.usage, refusal.text, hint: field.flatMap(Self.usageHint))
        case ("conflict", let field): self.init(.refused, refusal.text, hint: field.flatMap(Self.conflictHint))
        case ("alteredRow", "log"): self.init(.storage, refusal.text, hint: "audit verify shows where it was changed")
        default: self.init(PlatformError.Code.all.first { $0.description == refusal.code } ?? .internal, refusal.text)
        }
    }

    /// Returns the advice for a wrong field of a request.
    private static func usageHint(_ field: String) -> String? {
        switch field {
        case "showsNumbers": "use the scope app-server"
        case "name": "give a name of 1 to 64 characters"
        case "domains": "name at most 32 domains, each of 1 to 64 of a to z, 0 to 9, '.' and '-'"
        case "certificate": "name the file of the client's certificate"
        default: nil
        }
    }

    /// Returns the advice for a part of the data that prevents a request.
    private static func conflictHint(_ field: String) -> String? {
        switch field {
        case "certificate": "key list shows it; after a revocation, make another certificate"
        case "file": "nothing was changed"
        case "date": "the last entry of the log always stays"
        case "part": "run it again"
        case "nextMasterKey":
            "its user must be able to read the file; a key in a variable or behind a descriptor is read at its start"
        case "masterKey": "move the new key away, so that master-key rotate makes another one"
        default: nil
        }
    }

    /// Returns the report of a folder without a database, or of a database without a platform.
    static func noPlatform(in place: String) -> ErrorReport {
        ErrorReport(
            .storage, "there is no platform in \(place)", hint: "trusted-identity serve makes it on the first start")
    }

    /// Throws the report of an SQLite-only command if the database is on a server.
    ///
    /// - Parameter hint: The tools to use instead.
    static func requireSQLite(
        _ configuration: InstallationConfiguration, for command: String, hint: String
    ) throws(ErrorReport) {
        guard configuration.database != nil else { return }
        throw ErrorReport(.usage, "\(command) is for SQLite, and the database is on a PostgreSQL server", hint: hint)
    }

    fileprivate init(_ error: ServerError) {
        let reason = error.underlying.map { ": \($0)" } ?? ""
        let hint =
            switch error.code {
            case .unusableCertificate: "tls.certificate and tls.key name the files"
            case .cannotListenForManagement: "choose another address with --management-listen"
            default: "choose another address with --listen"
            }
        self.init(.failed, error.message + reason, hint: hint)
    }

    /// Creates the report of a database that cannot be opened.
    init(_ error: DatabaseError) {
        switch error.code {
        case .address:
            self.init(.usage, error.message, hint: "write 'postgres://role@db.example:5432/name', for example")
        case .inUse:
            self.init(
                .inUse, error.message,
                hint: "one process may serve a folder, and rekey, restored and migrate need the database alone")
        case .newerSchema: self.init(.storage, error.message, hint: "use the newer version of this program")
        case .noPlatform:
            self.init(.storage, error.message, hint: "trusted-identity serve makes it on the first start")
        case .unfinished: self.init(.storage, error.message, hint: Self.migrateAgain)
        case .unsuitable:
            self.init(
                .storage, error.message, hint: "change it, and check it with trusted-identity config check")
        case .unreachable:
            self.init(
                .storage, error.message,
                hint: "check the address, the role and its rights; its password is in ~/.pgpass, or behind the "
                    + "descriptor of --database-password")
        default: self.init(.storage, error.message)
        }
    }

    /// Creates the report of a database that an interrupted migration left.
    init(unfinishedMigrationInto database: String) {
        self.init(.storage, "a migration into the database \(database) has not ended", hint: Self.migrateAgain)
    }

    private static let migrateAgain = "run trusted-identity migrate again, with the same arguments"

    fileprivate init(_ error: PlatformError) {
        switch error.code {
        case .malformedRequest: self.init(.usage, "the tenant must be 1 to 64 ASCII characters")
        case .wrongTenant:
            self.init(
                .storage, error.message,
                hint: "leave --tenant out to use the folder's own; in a new folder, name the tenant of the database")
        case .wrongMasterKey:
            let hint =
                (error.underlying as? MissingMasterKey).map {
                    "the data needs the master key with the id \($0.id): name its place with --master-key or --next-master-key; all servers of a database have the same key, so copy the file of the first one"
                } ?? "put the copy of the key back; if it is the same, the database was changed: restore a backup"
            self.init(.storage, error.administratorMessage, hint: hint)
        default: self.init(error.code, error.administratorMessage)
        }
    }

    /// Creates the report of a platform that failed, here or in the running server.
    private init(_ code: PlatformError.Code, _ message: String) {
        switch code {
        case .wrongMasterKey, .storeFailed: self.init(.storage, message)
        default: self.init(.failed, message)
        }
    }
}
