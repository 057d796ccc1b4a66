internal import ArgumentParser
internal import CLibrary
internal import CommandLine
internal import TrustedIdentityServer

/// `audit verify`: compares the audit log with its tree.
struct AuditVerifyCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "verify", abstract: "Find out whether the audit log is as the platform has written it.",
        discussion: """
            Compares the log with the checkpoints of the platform and, with --checkpoint, with one that was kept \
            elsewhere. Only the latter shows that the whole database was put back to an earlier state. Prints 'ok', what \
            was verified and what was not, and ends with 0; or prints what is wrong and ends with 6.
            """)

    /// The maximum length of all checkpoints together, in bytes. They must fit into a request.
    private static let longestCheckpoints = 48 * 1024

    @Option(help: "A file with a checkpoint that the log must begin with. Repeat it for more.")
    var checkpoint: [String] = []

    @Option(help: "A file that 'audit prune' has written, with which the log begins. Repeat it for more.")
    var pruned: [String] = []

    @Option(help: "A file that 'audit extract' has written. It is verified instead of the log, without the platform.")
    var extract: String?

    @Option(help: "With --extract: the file with the key statements, as 'platform-key export' writes it.")
    var platformKeys: String?

    @Option(help: "With --extract: the fingerprint of a key statement, as the operator has confirmed it.")
    var fingerprint: String?

    @OptionGroup var data: DataOption
    @OptionGroup var output: OutputOption

    mutating func validate() throws {
        guard (extract == nil) == (platformKeys == nil), extract != nil || fingerprint == nil else {
            throw ValidationError("--extract and --platform-keys are given together; --fingerprint needs them")
        }
        guard extract == nil || checkpoint.isEmpty && pruned.isEmpty else {
            throw ValidationError("--extract is verified without the log: leave --checkpoint and --pruned out")
        }
    }

    mutating func run() async throws {
        if let extract, let platformKeys {
            let verification = ExtractVerification(
                extract: extract, platformKeys: platformKeys, fingerprint: fingerprint)
            return try await verification.run(asJSON: output.isJSON)
        }
        var (notes, count) = ([String](), 0)
        for path in checkpoint {
            var note: [UInt8] = []
            for try await chunk in try FileChunks(path: path) {
                note += chunk
                count += chunk.count
                guard count <= Self.longestCheckpoints else {
                    throw ErrorReport(
                        .usage, "the files of checkpoints have more than 48 KiB", hint: "give fewer of them at a time")
                }
            }
            notes.append(String(decoding: note, as: UTF8.self))
        }
        let administration = try Administration(data: data)
        var result: AuditVerificationBody
        do {
            result = try await administration.send(
                .post, "v1/audit/verify", VerificationRequest(checkpoints: notes), isLong: true)
        } catch let refusal as AdministrationRefusal {
            let index = checkpoint.indices.first { refusal.field == "checkpoints[\($0)]" }
            guard let index else { throw refusal }
            throw ErrorReport(
                .refused, "\(checkpoint[index]): \(refusal.text)",
                hint: "use a file that 'audit checkpoint' has written")
        }
        var start = (result.pruned?.size ?? 0) + 1
        if !pruned.isEmpty { start = try await PrunedAuditFiles(paths: pruned).verify(&result, with: administration) }
        let uncompared = Set(result.uncompared.map(\.size))
        // A finding is more important than a checkpoint that cannot be compared.
        if result.findingCount == 0,
            let index = notes.firstIndex(where: { $0.checkpointSize.map(uncompared.contains) ?? false })
        {
            throw ErrorReport(
                .refused, "\(checkpoint[index]): the entries of the checkpoint were pruned",
                hint: "name the file that 'audit prune' has written with --pruned")
        }
        if output.isJSON {
            try StandardStream.output.print(
                json: Report(result: result, audit: report(of: result, from: start, kept: Set(notes).count)))
        } else if result.findingCount == 0 {
            let part = result.pruned.map { description(of: $0, from: start) } ?? ""
            StandardStream.output.print("ok: \(result.size) entries" + part)
            StandardStream.output.print(report(of: result, from: start, kept: Set(notes).count).text)
            if let least = uncompared.min(), let greatest = uncompared.max() {
                StandardStream.error.print(
                    "not compared without --pruned: \(uncompared.count) roots, of \(least) to \(greatest) entries")
            }
        } else {
            for finding in result.findings { StandardStream.output.print(finding.text) }
            let more = result.findingCount - result.findings.count
            if more > 0 { StandardStream.output.print("\(more) more") }
        }
        guard let first = result.findings.first else { return }
        throw ErrorReport(
            .storage, first.text,
            hint: first.kind == .otherLog
                ? "entries were lost in a restore, or the file is of another copy of the platform"
                : "another program has changed the database: compare it with a backup or an export")
    }

    /// The reply of the platform, and the report about it.
    private struct Report: Encodable {
        let result: AuditVerificationBody
        let audit: VerifiedAudit

        private enum CodingKeys: CodingKey { case audit }

        func encode(to encoder: any Encoder) throws {
            try result.encode(to: encoder)
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encode(audit, forKey: .audit)
        }
    }

    /// Returns the verified and the unverified parts, from an entry on.
    ///
    /// - Parameter kept: The number of checkpoints that were kept elsewhere.
    private func report(of result: AuditVerificationBody, from first: Int64, kept: Int) -> VerifiedAudit {
        var report = VerifiedAudit(
            file: pruned.isEmpty ? "database" : "database and files of pruned entries",
            origin: result.origin, entries: result.size - first + 1, first: first, last: result.size,
            size: result.size, root: result.root, lastEntry: result.lastEntry, key: result.key)
        report.checkpoints = "\(result.compared) compared, \(kept) of them kept elsewhere"
        if first > 1 {
            report.notVerified.append(
                "the first \(first - 1) entries, which were pruned: give the files of all prunings with --pruned")
        }
        report.notVerified.append(
            checkpoint.isEmpty
                ? "that the whole database was not put back to an earlier state: give --checkpoint"
                : "that no later checkpoint exists")
        return report
    }

    /// States how many entries were pruned, and which of them were verified.
    private func description(of part: AuditVerificationBody.Root, from first: Int64) -> String {
        let count = ", the first \(part.size) pruned"
        guard !pruned.isEmpty else { return count }
        return count + (first == 1 ? " and verified by the files" : ", verified by the files from entry \(first) on")
    }
}

/// `audit checkpoint`: signs the current state of the audit log.
struct AuditCheckpointCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "checkpoint", abstract: "Sign the number and the root of all entries of the audit log.",
        discussion: """
            Run it regularly, and keep the checkpoints where the administrators of the database cannot change them. \
            'audit verify --checkpoint FILE' compares the log with one. The form is that of C2SP tlog-checkpoint.
            """)

    @Option(help: "The file. An existing one is not replaced. Standard output by default.")
    var output: String?

    @OptionGroup var data: DataOption

    mutating func run() async throws {
        let checkpoint: SignedCheckpointBody = try await Administration(data: data).send(.post, "v1/audit/checkpoint")
        try checkpoint.note.write(to: output)
    }
}

/// `audit checkpoints`: the checkpoints that the platform keeps.
struct AuditCheckpointsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "checkpoints", abstract: "List the checkpoints that the platform signs at intervals.",
        discussion: """
            The server signs one each hour when the log has \
            grown. With --json, each has its signed note. Copy the notes to a place where the administrators of the \
            database cannot change them: 'audit verify --checkpoint FILE' compares the log with one.
            """)

    @Option(help: "Only checkpoints of fewer entries than this number.")
    var before: Int64?

    @Option(help: "The maximum number of checkpoints, the latest first: 1 to 1,000.")
    var limit = 100

    @OptionGroup var data: DataOption
    @OptionGroup var output: OutputOption

    mutating func run() async throws {
        let list: AuditCheckpointListBody = try await Administration(data: data).send(
            .get, "v1/audit/checkpoints?limit=\(limit)" + (before.map { "&before=\($0)" } ?? ""))
        let checkpoints = list.checkpoints
        if output.isJSON { return try StandardStream.output.print(json: checkpoints) }
        guard !checkpoints.isEmpty else { return }
        let rows = checkpoints.map { checkpoint in
            let root = checkpoint.note.split(separator: "\n", maxSplits: 3, omittingEmptySubsequences: false)
            return ["\(checkpoint.size)", checkpoint.time, root.count > 2 ? String(root[2]) : ""]
        }
        StandardStream.output.print(Table([["ENTRIES", "TIME", "ROOT"]] + rows).text)
    }
}

/// `audit key`: the key that verifies checkpoints.
struct AuditKeyCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "key", abstract: "Print the key that verifies checkpoints of the audit log.",
        discussion: """
            The form is that of a verifier key of C2SP signed-note. The key statements list the same key with the use \
            'audit'; 'platform-key rotate --use audit' replaces it.
            """)

    @OptionGroup var data: DataOption

    mutating func run() async throws {
        let checkpoint: SignedCheckpointBody = try await Administration(data: data).send(.post, "v1/audit/checkpoint")
        StandardStream.output.print(checkpoint.key)
    }
}

/// `audit prove`: proofs for parties that keep checkpoints.
struct AuditProveCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "prove", abstract: "Prove that an entry is in the audit log, or that the log has only grown.",
        discussion: """
            With a number, the proof has the content of the entry, a new checkpoint, and the hashes between them, in the \
            form of C2SP tlog-proof. With --since, it shows that the log of a new checkpoint begins with that of an \
            earlier one. 'audit key' prints the key that verifies both.
            """)

    @Argument(help: "The number of the entry.")
    var entry: Int64?

    @Option(help: "The number of entries of the earlier checkpoint, which is its second line.")
    var since: Int64?

    @Option(help: "The file. An existing one is not replaced. Standard output by default.")
    var output: String?

    @OptionGroup var data: DataOption

    mutating func validate() throws {
        guard (entry == nil) != (since == nil) else {
            throw ValidationError("name the number of an entry, or --since and the number of entries of a checkpoint")
        }
    }

    mutating func run() async throws {
        let query = if let entry { "entry=\(entry)" } else { "since=\(since ?? 0)" }
        let reply: AuditProofBody = try await Administration(data: data).send(
            .get, "v1/audit/proof?" + query, isLong: true)
        try reply.proof.write(to: output)
    }
}

extension String {
    /// The number of entries of a checkpoint; nil for any other text.
    fileprivate var checkpointSize: Int64? {
        split(separator: "\n", maxSplits: 2, omittingEmptySubsequences: false).dropFirst().first.flatMap { Int64($0) }
    }

    /// Writes the text to a new file, or to standard output.
    fileprivate func write(to path: String?) throws {
        guard let path else {
            guard SystemCall.write(Array(utf8).span, to: StandardStream.output.rawValue) else {
                throw ErrorReport(.failed, "cannot write to standard output")
            }
            return
        }
        let draft = try DraftFile(path: path)
        try draft.write(Array(utf8).span)
        try draft.commit()
    }
}

extension AuditVerificationBody.Finding {
    /// The description of the finding, without a line feed.
    fileprivate var text: String {
        switch kind {
        case .foreignEntry: "another program has written entry \(number)"
        case .missingEntry: "entry \(number) is missing"
        case .shorterThanCheckpoint: "the log has fewer entries than the checkpoint of \(number) entries"
        case .otherLog:
            """
            the checkpoint of \(number) entries is that of another log, from before or after a restore, and this log does \
            not begin with its entries
            """
        case .otherThanCheckpoint: "the first \(number) entries are not those of the checkpoint of \(number) entries"
        case .changedCheckpoint:
            "the checkpoint of \(number) entries in the database was changed, or another program has written it"
        case .changedTree: "the tree in the database was changed, or an entry after it is missing"
        }
    }
}
