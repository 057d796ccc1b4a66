internal import ArgumentParser
internal import TrustedIdentityServer

/// `device`: the devices of a user. Each subcommand is in a file of its own.
struct Device: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "List, revoke and lift the devices of a user.",
        subcommands: [DeviceList.self, DeviceRevoke.self, DeviceLift.self])
}

/// A device of a user, the arguments of the subcommands that change one.
struct DeviceArguments: ParsableArguments {
    @Argument(help: "The user, with or without @domain.")
    var user: String

    @Argument(help: "The id of the device, as listed.")
    var id: String
}
