import ArgumentParser
import CommandLine
import Orchestration

/// `synchronize USER`.
struct Synchronize: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Synchronize a user of this device with the platform, and show its limits.")

    @OptionGroup var argument: UserArgument
    @OptionGroup var options: DeviceOptions

    mutating func run() async throws {
        let flow = try await options.orchestrator().synchronize(argument.user)
        guard case .synchronized(let result) = try await FlowReport.follow(flow) else { return }
        let report = SynchronizationReport(result)
        try StandardStream.output.print(report, asJSON: options.json, else: report.text)
    }
}

/// The result of `synchronize`.
private struct SynchronizationReport: Encodable {
    private struct Policy: Encodable {
        let minimumLength: Int
        let maximumLength: Int
        let digitsOnly: Bool
    }

    /// In milliseconds.
    private let clockOffset: Int64
    private let remainingTries: Int
    private let devices: Int
    private let maximumDevices: Int
    private let newPassword: Policy

    init(_ result: SynchronizationResult) {
        let offset = result.clockOffset.components
        clockOffset = offset.seconds * 1_000 + offset.attoseconds / 1_000_000_000_000_000
        remainingTries = result.remainingTries
        devices = result.devices
        maximumDevices = result.maximumDevices
        let policy = result.newPasswordPolicy
        newPassword = Policy(
            minimumLength: policy.minimumLength, maximumLength: policy.maximumLength, digitsOnly: policy.digitsOnly)
    }

    /// The report as a table.
    var text: String {
        Table([
            ("clock offset", "\(clockOffset) ms"),
            ("tries left", "\(remainingTries)"),
            ("devices", "\(devices) of \(maximumDevices)"),
            (
                "new password",
                "\(newPassword.minimumLength) to \(newPassword.maximumLength) "
                    + (newPassword.digitsOnly ? "digits" : "characters")
            ),
        ]).text
    }
}
