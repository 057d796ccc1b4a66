internal import ArgumentParser
internal import CommandLine
internal import TrustedIdentity
internal import TrustedIdentityServer

/// `user erase`: removes everything that names a user.
struct UserErase: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "erase", abstract: "Remove everything that names a user.",
        discussion: """
            The registration ends, and the devices, the approval requests with their receipts, the device data and the records of \
            decisions are removed. The audit log stays: it has a random number instead of the name. Backups and exports from \
            before still have the name. Check first which receipts you must keep. After an interruption, run it again.
            """)

    @OptionGroup var data: DataOption
    @OptionGroup var output: OutputOption

    @OptionGroup var argument: UserArgument
    @OptionGroup var confirmation: Confirmation

    mutating func run() async throws {
        let administration = try Administration(data: data)
        try confirmation.require(
            """
            This removes the user \(argument.user) with all devices, approval requests and receipts. It cannot be undone. Type yes \
            to go on:
            """)
        let report: ErasureReport = try await administration.send(.delete, argument.path, isLong: true)
        if output.isJSON { return try StandardStream.output.print(json: report) }
        StandardStream.output.print(
            "erased: \(report.devices) devices, \(report.approvals) approval requests, \(report.decisions) decisions")
    }
}
