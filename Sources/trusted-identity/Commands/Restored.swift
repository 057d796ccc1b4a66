internal import ArgumentParser
internal import CommandLine
internal import TrustedIdentityServer

/// `restored`: marks the data as restored from a backup.
struct Restored: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Mark the data as restored from a backup.",
        discussion: """
            Run it before the server starts on the restored data. Until a device sends a command to the platform, its \
            typed codes are refused and not counted. The backup does not contain later revocations: with --audit and \
            an export that was made after the backup, they are applied again. Without --audit, all devices, API keys \
            and static passwords from before are suspended. A later 'restored --audit' lifts what was not revoked; \
            'restored --lift' lifts all, after you have revoked what must not work. With a database on a server, all \
            servers are stopped, except for --lift.
            """)

    @OptionGroup var data: DataOption
    @OptionGroup var output: OutputOption

    @OptionGroup var revocations: RevocationOptions

    @Flag(help: "Lift all suspensions of an earlier call.")
    var lift = false

    func validate() throws {
        guard !lift || (revocations.audit == nil && !revocations.nothingRevoked) else {
            throw ValidationError("--lift cannot be used with --audit or --nothing-revoked")
        }
    }

    mutating func run() async throws {
        let administration = try Administration(data: data)
        if lift {
            try await administration.complete(.post, "v1/lift-suspensions")
            return try output.print(status: "lifted")
        }
        let export = try revocations.audit.map { try FileChunks(path: $0) }
        try await administration.withClient(for: .exclusiveAdministration) {
            [nothingRevoked = revocations.nothingRevoked] client in
            try await Restoration(nothingRevoked: nothingRevoked, applying: export, with: client)
        }.print(asJSON: output.isJSON)
    }
}

/// The result of the mark that the data is restored.
enum Restoration: Sendable {
    case marked(RestoredBody)
    case applied(RestoreBody)

    /// Marks the data as restored.
    init(nothingRevoked: Bool, applying export: FileChunks?, with client: AdministrationClient) async throws {
        self =
            if let export { .applied(try await client.upload(export, to: "v1/restored/audit")) } else {
                .marked(try await client.send(.post, "v1/restored", RestoredRequest(nothingRevoked: nothingRevoked)))
            }
    }

    func print(asJSON isJSON: Bool) throws {
        switch self {
        case .marked(let mark) where isJSON: try StandardStream.output.print(json: mark)
        case .applied(let result) where isJSON: try StandardStream.output.print(json: result)
        case .marked(let mark):
            StandardStream.output.print(
                "restored: \(mark.suspended == "all" ? "everything from before" : "nothing") is suspended")
        case .applied(let result):
            StandardStream.output.print(
                """
                \(result.isLater ? "lifted" : "restored"): revoked again: devices \(result.devices), \
                API keys \(result.apiKeys), static passwords \(result.staticPasswords), accounts \(result.accounts)
                """)
            for name in result.unknownNames { StandardStream.error.print("unknown to the backup, skipped: \(name)") }
            let more = result.unknown - result.unknownNames.count
            if more > 0 { StandardStream.error.print("unknown to the backup, skipped: \(more) more") }
        }
    }
}

/// The options that state the revocations since a backup.
struct RevocationOptions: ParsableArguments {
    @Option(help: "An export of the audit log that was made after the backup.")
    var audit: String?

    @Flag(help: "Nothing was revoked, replaced or removed since the backup: suspend nothing.")
    var nothingRevoked = false

    func validate() throws {
        guard audit == nil || !nothingRevoked else {
            throw ValidationError("--audit and --nothing-revoked cannot be used together")
        }
    }
}
