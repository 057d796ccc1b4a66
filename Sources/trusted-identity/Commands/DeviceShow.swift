internal import ArgumentParser
internal import CommandLine
internal import TrustedIdentityServer

/// `device show`: the data that a device reported about itself.
struct DeviceShow: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show", abstract: "Show the latest data that a device reported about itself.",
        discussion: "The data are claims of the device. They are kept for 30 days, and deleted with the device.")

    @OptionGroup var data: DataOption
    @OptionGroup var output: OutputOption

    @OptionGroup var device: DeviceArguments

    mutating func run() async throws {
        let report: DeviceDataBody = try await Administration(data: data).send(.get, device.path + "/data")
        if output.isJSON { return try StandardStream.output.print(json: report) }
        guard let sentAt = report.sentAt else { return StandardStream.output.print("no device data") }
        var rows = [["sent at", sentAt, ""]]
        if let event = report.event {
            let text = [event.name, event.applicationData].compactMap(\.self).joined(separator: " ")
            rows.append(["event", text, event.time])
        }
        rows += report.fields.map { [$0.name, $0.isHashed ? "hash \($0.value)" : $0.value, $0.purpose] }
        StandardStream.output.print(Table(rows).text)
    }
}
