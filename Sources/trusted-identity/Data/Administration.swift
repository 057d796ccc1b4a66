internal import CommandLineReports
internal import Logging
internal import TrustedIdentity
internal import TrustedIdentitySQLite
internal import TrustedIdentityServer

/// Administration of a platform, whether its server runs or not.
///
/// The process that holds the lock of the data performs each request. While a server runs, that is the server, which is
/// asked over its socket. Otherwise this process takes the lock. A server that starts or stops holds the lock without a
/// socket for a moment, so both ways are tried for some seconds. A request that was sent is not sent again.
struct Administration {
    private static let silent = Logger(label: TrustedIdentityCommand.name) { _ in SwiftLogNoOpLogHandler() }

    private let configuration: InstallationConfiguration
    private let folder: DataFolder
    private let keys: InstallationKeys

    init(data: DataOption) throws(ErrorReport) {
        configuration = try ProgramConfiguration.read(data).configuration
        folder = try DataFolder(of: configuration, mode: .mustExist)
        keys = InstallationKeys(configuration, folder: folder)
        guard PrivateFile.exists(folder.databasePath) else {
            throw ErrorReport.noPlatform(in: folder)
        }
    }

    /// Performs a request.
    ///
    /// - Throws: ``AdministrationError`` when a server gives a wrong answer or none, `SQLiteStoreError` when another
    ///   process holds the lock for too long, and the errors of the store and of the platform.
    func perform(_ request: AdministrationRequest) async throws -> AdministrationReply {
        try await perform {
            try await AdministrationClient.perform(request, socket: $0)
        } alone: {
            try await $0.administrator.perform(request)
        }
    }

    /// Performs a request whose reply says only that it was done.
    ///
    /// - Throws: `ErrorReport` when the request was refused; as ``perform(_:)`` does.
    func complete(_ request: AdministrationRequest) async throws {
        let reply = try await perform(request)
        guard case .done = reply else { throw ErrorReport(reply) }
    }

    /// Applies an exported audit log after a restore.
    ///
    /// - Parameter path: The path of the file.
    /// - Throws: `ErrorReport` when the file cannot be read; as ``perform(_:)`` does.
    func restore(applying path: String) async throws -> AdministrationReply {
        let file = try FileChunks(path: path)
        return try await perform {
            try await AdministrationClient.restore(applying: file, socket: $0)
        } alone: {
            try await $0.administrator.restore(applying: file)
        }
    }

    /// Exports the audit log.
    ///
    /// - Parameters:
    ///   - first: The sequence number of the first entry; nil for the first one that was not pruned.
    ///   - write: A closure that receives each part of the file.
    /// - Throws: `ErrorReport` when the log has no such entry; as ``perform(_:)`` does.
    func exportAudit(from first: Int64?, _ write: ([UInt8]) throws -> Void) async throws {
        let refusal: AdministrationReply? = try await perform {
            try await AdministrationClient.exportAudit(from: first, socket: $0, write)
        } alone: { installation in
            try await Self.write(try await installation.administrator.exportAudit(from: first), write)
        }
        if let refusal { throw ErrorReport(refusal) }
    }

    /// Prunes the entries of the audit log before a date.
    ///
    /// - Parameters:
    ///   - date: A day, or a time as in RFC 3339.
    ///   - path: The path of the file for the entries.
    ///   - progress: A closure that receives the number of rows that are still to be removed.
    /// - Returns: The file.
    /// - Throws: `ErrorReport` when the entries cannot be pruned; as ``perform(_:)`` does.
    func pruneAudit(
        before date: String, to path: String, progress: (Int64) -> Void
    ) async throws -> PrunedAuditFile {
        let pruning = AuditPruning(date: date, path: path)
        return try await perform { socket in
            try await pruning.run(progress) {
                try await AdministrationClient.perform($0, socket: socket)
            } export: {
                try await AdministrationClient.exportAudit(before: date, socket: socket, $0)
            }
        } alone: { installation in
            try await pruning.run(progress) {
                try await installation.administrator.perform($0)
            } export: {
                try await Self.write(try await installation.administrator.exportAudit(before: date), $0)
            }
        }
    }

    /// Makes an extract of the audit log.
    ///
    /// - Parameters:
    ///   - user: The user of the entries.
    ///   - write: A closure that receives each part of the file.
    /// - Throws: `ErrorReport` when there is no such user; as ``perform(_:)`` does.
    func auditExtract(of user: String, _ write: ([UInt8]) throws -> Void) async throws {
        let refusal: AdministrationReply? = try await perform {
            try await AdministrationClient.auditExtract(of: user, socket: $0, write)
        } alone: { installation in
            try await Self.write(try await installation.administrator.auditExtract(of: user), write)
        }
        if let refusal { throw ErrorReport(refusal) }
    }

    /// Writes an export.
    ///
    /// - Returns: The reply to an export that is refused; nil after a complete one.
    private static func write<File: AsyncSequence>(
        _ export: Result<File, ExportRefusal>, _ write: ([UInt8]) throws -> Void
    ) async throws -> AdministrationReply? where File.Element == [UInt8] {
        switch export {
        case .success(let export):
            for try await part in export { try write(part) }
            return nil
        case .failure(let refusal): return refusal.reply
        }
    }

    /// Replaces the change key. A server that runs has the earlier key in memory, and has to be stopped first.
    ///
    /// - Parameter usesFile: Whether the new key is the one at its place.
    /// - Throws: `ErrorReport` when there is nothing to replace; `SQLiteStoreError` when another process holds the
    ///   lock.
    func replaceChangeKey(usesFile: Bool) async throws {
        try await folder.replaceChangeKey(configuration, keys: keys, usesFile: usesFile, logger: Self.silent)
    }

    /// The files of the master keys.
    var masterKeyFiles: MasterKeyFiles { get throws(ErrorReport) { try keys.masterKeyFiles } }

    /// Returns the key by which the master key is replaced; nil where there is none.
    func nextMasterKey() throws(ErrorReport) -> MasterKey? { try keys.nextMasterKey() }

    /// Begins to replace the master key, or goes on with it, and waits for its end.
    ///
    /// - Parameters:
    ///   - waits: Whether to wait. Otherwise the call returns when the replacement is under way.
    ///   - progress: A closure that is called every second.
    /// - Returns: The keys at the end.
    /// - Throws: `ErrorReport` when the request was refused; as ``perform(_:)`` does.
    func replaceMasterKey(
        waits: Bool, progress: (AdministrationReply.MasterKeys) -> Void
    ) async throws -> AdministrationReply.MasterKeys {
        try await perform { socket in
            var keys = try Self.masterKeys(
                in: try await AdministrationClient.perform(.replaceMasterKey, socket: socket))
            while waits, keys.previousID != nil {
                progress(keys)
                try await Task.sleep(for: .seconds(1))
                keys = try Self.masterKeys(
                    in: try await AdministrationClient.perform(.showMasterKeys, socket: socket))
            }
            return keys
        } alone: { installation in
            let administrator = installation.administrator
            var keys = try Self.masterKeys(in: try await administrator.perform(.replaceMasterKey))
            while waits, keys.previousID != nil {
                progress(keys)
                try await administrator.continueReplacement()
                try await Task.sleep(for: .seconds(1))
                keys = try Self.masterKeys(in: try await administrator.perform(.showMasterKeys))
            }
            return keys
        }
    }

    private static func masterKeys(in reply: AdministrationReply) throws(ErrorReport) -> AdministrationReply.MasterKeys
    {
        guard case .masterKeys(let keys) = reply else { throw ErrorReport(reply) }
        return keys
    }

    /// Performs an operation in the running server, or in this process when no server runs. Tries again while another
    /// process holds the lock.
    private func perform<R: Sendable>(
        asking server: (_ socket: String) async throws -> R, alone: (Installation) async throws -> R
    ) async throws -> R {
        var last: any Error = AdministrationError.unreachable
        for _ in 0..<50 {
            do {
                return try await server(folder.socketPath)
            } catch AdministrationError.unreachable {
                // Nothing was sent.
            }
            do {
                return try await folder.withInstallation(configuration, keys: keys, logger: Self.silent, alone)
            } catch let error as SQLiteStoreError where error.code == .inUse {
                last = error
            }
            try await Task.sleep(for: .milliseconds(100))
        }
        throw last
    }
}
