internal import ArgumentParser
internal import CommandLine
internal import Primitives
internal import TrustedIdentity
internal import TrustedIdentityServer

/// `audit extract`: the entries of a user, each with its proof.
struct AuditExtractCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "extract", abstract: "Write the entries of a user with their proofs, for an auditor.",
        discussion: """
            An auditor verifies the file with the key statements of the platform, and without access to it: 'audit verify \
            --extract FILE --platform-keys FILE'. The file has no content of entries of other users. It does not prove that it \
            has all entries of the user. Entries of a user who was removed and registered again are not in it.
            """)

    @Argument(help: "The user, as user@domain or with the default domain.")
    var user: String

    @Option(help: "The file. An existing one is not replaced.")
    var to: String

    @OptionGroup var data: DataOption

    mutating func run() async throws {
        let administration = try Administration(data: data)
        let draft = try DraftFile(path: to)
        try await administration.withClient { [user] client in
            try await client.download("v1/audit/extract?user=\(AdministrationClient.escaped(user))") {
                try draft.write($0.span)
            }
        }
        try draft.commit()
    }
}

/// The verification of an extract without the platform.
struct ExtractVerification {
    let extract: String
    /// The file with the key statements.
    let platformKeys: String
    let fingerprint: String?

    /// Verifies the extract, and prints its content.
    func run(asJSON isJSON: Bool) async throws {
        let json = try InputFile.text(platformKeys, limit: AuditExtractFile.longestPlatformKeys)
        let file: AuditExtractFile
        do {
            file = try await AuditExtractFile(
                reading: try FileChunks(path: extract), platformKeys: Array(json.utf8), fingerprint: fingerprint)
        } catch let error as AuditError where error.code == .platformKeys {
            throw ErrorReport(
                .refused, "\(platformKeys): \(error.message)",
                hint: "use the file of platform-key export, and the fingerprint that the operator has confirmed")
        } catch let error as AuditError {
            throw ErrorReport(.storage, "\(extract): \(error.message)")
        }
        let subject = Hex.encode(file.subject)
        var audit = VerifiedAudit(
            file: "extract", origin: file.checkpoint.origin, entries: Int64(file.count), first: file.range?.lowerBound,
            last: file.range?.upperBound, size: file.checkpoint.size, root: Hex.encode(file.checkpoint.root),
            lastEntry: file.lastEntryTime?.rfc3339, key: Hex.encode(file.checkpoint.keyID))
        audit.notVerified = [
            "that the file contains all entries of the user",
            "that the subject \(subject) stands for the user: no entry has the name",
        ]
        if file.pruned > 0 { audit.notVerified.append("the first \(file.pruned) entries, which were pruned") }
        if fingerprint == nil {
            audit.notVerified.append("that the key statements are those of the platform: give --fingerprint")
        }
        if isJSON {
            return try StandardStream.output.print(json: Report(user: file.user, subject: subject, audit: audit))
        }
        // No signature covers the user name. The table escapes characters that could control the terminal.
        StandardStream.output.print(Table([["ok: \(file.count) entries of \(file.user)"]]).text)
        StandardStream.output.print(audit.text)
    }

    private struct Report: Encodable {
        let user: String
        let subject: String
        let audit: VerifiedAudit
    }
}

/// The output of `audit verify` about a verified log or file.
struct VerifiedAudit: Encodable {
    let file: String
    let origin: String
    /// The number of verified entries.
    let entries: Int64
    let first: Int64?
    let last: Int64?
    /// The size and the root of the log, the root in hexadecimal digits.
    let size: Int64
    let root: String
    let lastEntry: String?
    /// The id of the audit key.
    let key: String
    /// The checkpoints that the log was compared with; nil for a file.
    var checkpoints: String?
    /// The statements that the result does not make.
    var notVerified: [String] = []

    /// The report as a table.
    var text: String {
        var fields = [(name: "file", value: file), ("log", origin)]
        if let first, let last, entries > 0 {
            fields.append(("entries", "\(entries), from \(first) to \(last)"))
        } else {
            fields.append(("entries", "0"))
        }
        fields += [("size", "\(size)"), ("root", root)]
        if let lastEntry { fields.append(("last entry", lastEntry)) }
        if !key.isEmpty { fields.append(("signed by", key)) }
        if let checkpoints { fields.append(("checkpoints", checkpoints)) }
        return Table(fields + notVerified.map { (name: "not verified", value: $0) }).text
    }
}
