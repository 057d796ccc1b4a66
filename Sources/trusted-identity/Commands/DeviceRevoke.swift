internal import ArgumentParser
internal import CommandLineReports
internal import TrustedIdentityServer

/// `device revoke`: ends a device at once.
struct DeviceRevoke: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "revoke", abstract: "Revoke a device of a user.",
        discussion: """
            The codes and requests of the device are refused at once, and its keys are erased. A revocation is never \
            undone: register the user again to activate the device anew.
            """)

    @OptionGroup var data: DataOption
    @OptionGroup var output: OutputOption
    @OptionGroup var device: DeviceArguments

    mutating func run() async throws {
        let reply = try await Administration(data: data).perform(.revokeDevice(user: device.user, id: device.id))
        guard case .done = reply else { throw ErrorReport(reply) }
        if output.isJSON {
            try StandardStream.output.print(json: ["status": "revoked"])
        } else {
            StandardStream.output.print("revoked")
        }
    }
}
