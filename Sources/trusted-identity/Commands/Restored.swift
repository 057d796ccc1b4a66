internal import ArgumentParser
internal import TrustedIdentityServer

/// `restored`: says that the data came from a backup.
struct Restored: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Say that the data was restored from a backup.",
        discussion: """
            Every device is marked: until it has spoken to the platform, its typed codes are refused and not counted. \
            Devices that were revoked since the backup would come back to life, so all are locked until their users are \
            unblocked, unless it is known that none was.
            """)

    @OptionGroup var data: DataOption
    @OptionGroup var output: OutputOption

    @Flag(help: "No device was revoked since the backup: lock none.")
    var nothingRevoked = false

    mutating func run() async throws {
        let reply = try await Administration(data: data).ask(.markRestored(nothingRevoked: nothingRevoked))
        guard case .marked(let devices) = reply else { throw Failure(reply) }
        if output.isJSON {
            try Output.json(["devices": devices])
        } else {
            Output.line("marked \(devices) device\(devices == 1 ? "" : "s")")
        }
    }
}
