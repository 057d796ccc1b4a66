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

    /// Verifies the extract, and prints what it has.
    func run(asJSON isJSON: Bool) async throws {
        let json = try InputFile.text(platformKeys, limit: AuditExtractFile.longestPlatformKeys)
        let file: AuditExtractFile
        do {
            file = try await AuditExtractFile(
                reading: try FileChunks(path: extract), platformKeys: Array(json.utf8), fingerprint: fingerprint)
        } catch let error as AuditExtractError where error.code == .platformKeys {
            throw ErrorReport(
                .refused, "\(platformKeys): \(error.message)",
                hint: "use the file of platform-key export, and the fingerprint that the operator has confirmed")
        } catch let error as AuditExtractError {
            throw ErrorReport(.storage, "\(extract): \(error.message)")
        }
        let report = Report(
            user: file.user, subject: Hex.encode(file.subject), entries: file.count, pruned: file.pruned,
            size: file.checkpoint.size)
        if isJSON { return try StandardStream.output.print(json: report) }
        let pruned = report.pruned > 0 ? ", without the first \(report.pruned)" : ""
        StandardStream.output.print(
            "ok: \(report.entries) entries of \(report.user) in the log of \(report.size) entries\(pruned)")
    }

    private struct Report: Encodable {
        let user: String
        let subject: String
        let entries: Int
        let pruned: Int64
        let size: Int64
    }
}
