internal import CommandLine
internal import TrustedIdentity
internal import TrustedIdentityServer

/// The pruning of the audit log to a file: nothing is removed before the file is complete, synced, read again and
/// verified.
///
/// After an interruption at any point, each entry is in the database, in the complete file, or in both. A run with the
/// same file continues.
struct AuditPruning {
    /// A day, or a time as in RFC 3339.
    let date: String
    /// The path of the file.
    let path: String
    let client: AdministrationClient

    /// Prunes the entries.
    ///
    /// - Parameter progress: A closure that receives the number of rows that remain to be removed.
    /// - Returns: The file.
    func run(_ progress: (Int64) -> Void) async throws -> PrunedAuditFile {
        // The sync below makes the name of the link durable, but not the name of its target file.
        guard !PrivateFile.isSymbolicLink(path) else {
            throw ErrorReport(.usage, "\(path) is a symbolic link", hint: "name the file itself")
        }
        let isThere = PrivateFile.exists(path)
        if !isThere {
            let draft = try DraftFile(path: path)
            try await client.download("v1/audit/before?date=\(AdministrationClient.escaped(date))") {
                try draft.write($0.span)
            }
            try draft.commit()
        }
        let file = try await read(isThere: isThere)
        // The file stays in the folder after a power loss, even if an interrupted run created it.
        try PrivateFile.sync(path)
        do {
            let _: StatusReply = try await client.send(
                .post, "v1/audit/prune", PruningRequest(file.part, before: date), isLong: true)
        } catch let refusal as AdministrationRefusal where isThere && refusal.field == "part" {
            throw existing("it holds other entries than those to prune")
        }
        while true {
            let rows: PrunedRowsBody = try await client.send(.post, "v1/audit/pruned-rows")
            guard let left = rows.left else { return file }
            progress(left)
        }
    }

    /// Reads the file again, and verifies it.
    private func read(isThere: Bool) async throws -> PrunedAuditFile {
        let keys: [String] = try await client.send(.get, "v1/audit/keys")
        do {
            return try await PrunedAuditFile(reading: try FileChunks(path: path), verifierKeys: keys)
        } catch let error as AuditError where error.code != .malformedKey {
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
