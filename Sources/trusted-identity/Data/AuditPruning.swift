internal import CommandLineReports
internal import Primitives
internal import TrustedIdentity
internal import TrustedIdentityServer

/// The pruning of the audit log to a file: nothing is removed before the file is complete, synced, read again and
/// verified.
///
/// After an interruption at any point, each entry is in the database, in the complete file, or in both. A run with the
/// same file goes on.
struct AuditPruning {
    typealias Export = (_ write: ([UInt8]) throws -> Void) async throws -> AdministrationReply?

    /// A day, or a time as in RFC 3339.
    let date: String
    /// The path of the file.
    let path: String

    /// Prunes the entries.
    ///
    /// - Parameters:
    ///   - progress: A closure that receives the number of rows that are still to be removed.
    ///   - ask: A closure that performs a request.
    ///   - export: A closure that exports the entries, and returns the reply to an export that is refused.
    /// - Returns: The file.
    func run(
        _ progress: (Int64) -> Void, ask: (AdministrationRequest) async throws -> AdministrationReply, export: Export
    ) async throws -> PrunedAuditFile {
        // The sync below makes the name of the link durable, and not that of the file that it leads to.
        guard !PrivateFile.isSymbolicLink(path) else {
            throw ErrorReport(.usage, "\(path) is a symbolic link", hint: "name the file itself")
        }
        let isThere = PrivateFile.exists(path)
        if !isThere {
            let draft = try DraftFile(path: path)
            if let refusal = try await export({ try draft.write($0.span) }) { throw ErrorReport(refusal) }
            try draft.commit()
        }
        let file = try await read(isThere: isThere, ask)
        // The file stays in the folder after a power loss, also when an interrupted run has made it.
        try PrivateFile.sync(path)
        let request = AdministrationRequest.pruneAudit(
            first: file.part.first, last: file.part.last, root: Hex.encode(file.part.root), before: date)
        let reply = try await ask(request)
        if isThere, case .refused(.otherPart) = reply { throw existing("it holds other entries than those to prune") }
        guard case .auditPruned = reply else { throw ErrorReport(reply) }
        while true {
            let reply = try await ask(.removePrunedRows)
            guard case .prunedRows(let left) = reply else { throw ErrorReport(reply) }
            guard let left else { return file }
            progress(left)
        }
    }

    /// Reads the file again, and verifies it.
    private func read(
        isThere: Bool, _ ask: (AdministrationRequest) async throws -> AdministrationReply
    ) async throws -> PrunedAuditFile {
        let reply = try await ask(.showAuditKeys)
        guard case .auditKeys(let keys) = reply else { throw ErrorReport(reply) }
        do {
            return try await PrunedAuditFile(reading: try FileChunks(path: path), verifierKeys: keys)
        } catch let error as AuditFileError {
            guard !isThere else { throw existing(error.message) }
            throw ErrorReport(
                .storage, "\(path): \(error.message)",
                hint: "the file is not what was written to it, and nothing was removed from the audit log")
        }
    }

    private func existing(_ reason: String) -> ErrorReport {
        ErrorReport(
            .refused, "\(path) exists already: \(reason)",
            hint: "nothing was changed; name another file, or the one of an interrupted run with its date")
    }
}
