internal import ArgumentParser
internal import CommandLineReports
internal import TrustedIdentityServer

/// `restored`: marks the data as restored from a backup.
struct Restored: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Mark the data as restored from a backup.",
        discussion: """
            Run it before the server starts on the restored data. Until a device sends a command to the platform, its \
            typed codes are refused and not counted. What was revoked after the backup would be valid again. So all \
            devices, API keys and static passwords from before are suspended, until you lift each with 'device lift', \
            'key lift' and 'user lift-password', unless you know that nothing was revoked.
            """)

    @OptionGroup var data: DataOption
    @OptionGroup var output: OutputOption

    @Flag(help: "Nothing was revoked, replaced or removed since the backup: suspend nothing.")
    var nothingRevoked = false

    mutating func run() async throws {
        let reply = try await Administration(data: data).perform(.markRestored(nothingRevoked: nothingRevoked))
        guard case .restored(let isSuspended) = reply else { throw ErrorReport(reply) }
        if output.isJSON {
            try StandardStream.output.print(json: ["status": "restored", "suspended": isSuspended ? "all" : "nothing"])
        } else {
            StandardStream.output.print(
                isSuspended ? "restored: everything from before is suspended" : "restored: nothing is suspended")
        }
    }
}
