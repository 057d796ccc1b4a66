internal import ArgumentParser
internal import CommandLine
internal import TrustedIdentityServer

/// `device list`: the devices of a user, including recently revoked ones.
struct DeviceList: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List the devices of a user.",
        discussion: """
            The oldest device comes first. Devices that were revoked are listed for 30 days, the latest 20 of a user. \
            The audit log keeps every revocation.
            """)

    @OptionGroup var data: DataOption
    @OptionGroup var output: OutputOption

    @OptionGroup var argument: UserArgument

    mutating func run() async throws {
        let account: AccountBody = try await Administration(data: data).send(.get, argument.path)
        if output.isJSON { return try StandardStream.output.print(json: account.devices) }
        guard !account.devices.isEmpty else { return }
        let rows = account.devices.map { device in
            [
                device.deviceID, device.serialNumber, device.stateText,
                "last seen \(device.lastSeenAt ?? "never")", device.name,
            ]
        }
        StandardStream.output.print(Table(rows).text)
    }
}
