internal import ArgumentParser
internal import TrustedIdentityServer

/// `user show`: an account with its devices, never a secret.
struct UserShow: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show", abstract: "Show a user with their devices.")

    @OptionGroup var data: DataOption
    @OptionGroup var output: OutputOption

    @Argument(help: "The user, with or without @domain.")
    var user: String

    mutating func run() async throws {
        let reply = try await Administration(data: data).ask(.showUser(user))
        guard case .account(let account) = reply else { throw Failure(reply) }
        if output.isJSON { return try Output.json(account) }
        Output.line("user          \(account.user)")
        Output.line("registered    \(account.createdAt)")
        Output.line("activation    \(account.activationStatus)")
        for device in account.devices {
            let lock = device.lockReason.map { " (\($0))" } ?? ""
            Output.line("device        \(device.deviceID)  \(device.serialNumber)  \(device.state)\(lock)")
            Output.line("  name        \(device.name)")
            Output.line("  last seen   \(device.lastSeenAt ?? "never")")
        }
        for failures in account.failures {
            let block = failures.isBlockedUntilLifted ? "until lifted" : failures.blockedUntil ?? "no"
            Output.line(
                "failures      \(failures.kind)\(failures.isOfKnownSource ? " from a known source" : ""): "
                    + "\(failures.consecutive) in a row, \(failures.total) in all; blocked: \(block)")
        }
    }
}
