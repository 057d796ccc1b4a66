internal import ArgumentParser
internal import CommandLineReports
internal import TrustedIdentityServer

/// `restored`: marks the data as restored from a backup.
struct Restored: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Mark the data as restored from a backup.",
        discussion: """
            Marks every device. Until a marked device sends a command to the platform, its typed codes are refused and \
            not counted. A device that was revoked after the backup would be valid again. So all devices are locked \
            until you run 'user unblock' for their users, unless you know that no device was revoked.
            """)

    @OptionGroup var data: DataOption
    @OptionGroup var output: OutputOption

    @Flag(help: "No device was revoked since the backup: lock none.")
    var nothingRevoked = false

    mutating func run() async throws {
        let reply = try await Administration(data: data).perform(.markRestored(nothingRevoked: nothingRevoked))
        guard case .marked(let devices) = reply else { throw ErrorReport(reply) }
        if output.isJSON {
            try StandardStream.output.print(json: ["devices": devices])
        } else {
            StandardStream.output.print("marked \(devices) device\(devices == 1 ? "" : "s")")
        }
    }
}
