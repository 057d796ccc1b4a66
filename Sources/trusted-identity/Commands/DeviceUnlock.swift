internal import ArgumentParser
internal import CommandLine
internal import TrustedIdentityServer

/// `device unlock`: issues an unlock code for a device.
struct DeviceUnlock: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "unlock", abstract: "Issue an unlock code for a device of a user.",
        discussion: """
            With the code, the user sets a new password in the app: on a device that is locked after wrong passwords, or \
            whose password is forgotten. It is valid for 10 minutes and 5 tries, on that device only. At most five are \
            issued for a user in 24 hours. Hand it to the user in person or by letter, not through the app.
            """)

    @OptionGroup var data: DataOption
    @OptionGroup var output: OutputOption
    @OptionGroup var argument: UserArgument

    @Argument(help: "The id of the device, as listed. Default: the locked device, if the user has one.")
    var id: String?

    mutating func run() async throws {
        let device = try id.map { try "/devices/\(Administration.segment($0))" } ?? ""
        let code: UnlockCodeBody = try await Administration(data: data)
            .send(.post, argument.path + device + "/unlock")
        try StandardStream.output.print(
            code, asJSON: output.isJSON,
            else: Table([
                (name: "unlock code", value: code.unlockCode), ("device", code.deviceID),
                ("valid until", code.expiresAt),
            ]).text)
    }
}
