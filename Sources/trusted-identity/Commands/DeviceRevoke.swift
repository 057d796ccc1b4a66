internal import ArgumentParser
internal import CommandLine
internal import TrustedIdentityServer

/// `device revoke`: ends a device immediately.
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
        try await Administration(data: data).complete(.delete, device.path)
        try output.print(status: "revoked")
    }
}
