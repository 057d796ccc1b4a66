internal import ArgumentParser
internal import CommandLine
internal import TrustedIdentityServer

/// `device test`: sends a test notification to the devices of a user.
struct DeviceTest: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "test", abstract: "Send a test notification to the devices of a user.",
        discussion: """
            It goes through the configured gateways, and each step is printed with its time. The notification opens \
            nothing: an app that follows it learns that there is no such request. Without an id, all devices are tested.
            """)

    @OptionGroup var data: DataOption
    @OptionGroup var output: OutputOption

    @OptionGroup var argument: UserArgument

    @Argument(help: "The id of a device, as listed.")
    var id: String?

    mutating func run() async throws {
        let query = try id.map { "?device=\(try Administration.segment($0))" } ?? ""
        let path = "\(try argument.path)/test-notifications\(query)"
        let report: NotificationTestBody = try await Administration(data: data).sendThroughGateways(.post, path)
        if output.isJSON { return try StandardStream.output.print(json: report.devices) }
        let rows = report.devices.flatMap { device in
            device.hops.map { hop in
                [device.deviceID, device.scheme ?? "-", hop.step, hop.time, device.name]
            }
        }
        guard !rows.isEmpty else { return }
        StandardStream.output.print(Table(rows).text)
    }
}
