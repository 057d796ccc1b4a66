internal import ArgumentParser
internal import CommandLine
internal import TrustedIdentityServer

/// `device`: the devices of a user. Each subcommand is in a separate file.
struct Device: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "List, show, test, unlock and revoke the devices of a user.",
        subcommands: [DeviceList.self, DeviceShow.self, DeviceTest.self, DeviceUnlock.self, DeviceRevoke.self])
}

/// The arguments that name a device of a user.
struct DeviceArguments: ParsableArguments {
    @OptionGroup var argument: UserArgument

    @Argument(help: "The id of the device, as listed.")
    var id: String

    /// The path of the device.
    var path: String { get throws(ErrorReport) { "\(try argument.path)/devices/\(try Administration.segment(id))" } }
}

extension AccountBody.Device {
    /// The state for display, with the time of a revocation, or the reason why the device is not served.
    var stateText: String {
        if let revokedAt { return "\(state) \(revokedAt)" }
        let reason = isSuspended ? "suspended" : lockReason
        return state + (reason.map { " (\($0))" } ?? "")
    }
}
