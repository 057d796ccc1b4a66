internal import ArgumentParser
internal import CommandLineReports
internal import TrustedIdentityServer

/// `device lift`: lifts the suspension of a device after a restore.
struct DeviceLift: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "lift", abstract: "Lift the suspension of a device after a restore.",
        discussion: "Its typed codes are accepted again after the device sent a message to the platform.")

    @OptionGroup var data: DataOption
    @OptionGroup var output: OutputOption

    @OptionGroup var device: DeviceArguments

    mutating func run() async throws {
        try await Administration(data: data).complete(.liftDevice(user: device.argument.user, id: device.id))
        try output.print(status: "lifted")
    }
}
