internal import ArgumentParser
internal import CommandLineReports
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
            'restored --lift' lifts all, after you have revoked what must not work.
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
            try await administration.complete(.liftSuspensions)
            return try output.print(status: "lifted")
        }
        let reply =
            if let audit = revocations.audit { try await administration.restore(applying: audit) } else {
                try await administration.perform(.markRestored(nothingRevoked: revocations.nothingRevoked))
            }
        try Self.print(reply, asJSON: output.isJSON)
    }

    /// Prints the result of a restore.
    static func print(_ reply: AdministrationReply, asJSON isJSON: Bool) throws {
        if case .applied(let result) = reply { return try print(result, asJSON: isJSON) }
        guard case .restored(let isSuspended) = reply else { throw ErrorReport(reply) }
        if isJSON {
            try StandardStream.output.print(json: ["status": "restored", "suspended": isSuspended ? "all" : "nothing"])
        } else {
            StandardStream.output.print(
                isSuspended ? "restored: everything from before is suspended" : "restored: nothing is suspended")
        }
    }

    private static func print(_ result: AdministrationReply.Restore, asJSON isJSON: Bool) throws {
        guard !isJSON else { return try StandardStream.output.print(json: result) }
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
