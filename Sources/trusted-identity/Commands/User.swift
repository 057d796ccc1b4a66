internal import ArgumentParser
internal import CommandLine
internal import TrustedIdentityServer

/// `user`: the accounts.
struct User: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "List, show and erase users, and lift their blocks.",
        subcommands: [UserList.self, UserShow.self, UserUnblock.self, UserErase.self])
}

/// `user show`: an account with its devices, never a secret.
struct UserShow: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show", abstract: "Show a user with their devices.")

    @OptionGroup var data: DataOption
    @OptionGroup var output: OutputOption

    @OptionGroup var argument: UserArgument

    mutating func run() async throws {
        let account: AccountBody = try await Administration(data: data).send(.get, argument.path)
        try StandardStream.output.print(account, asJSON: output.isJSON, else: Table(Self.fields(account)).text)
    }

    private static func fields(_ account: AccountBody) -> [(name: String, value: String)] {
        var fields = [
            (name: "user", value: account.user), ("registered", account.createdAt),
            ("activation", account.activationStatus),
        ]
        if account.hasStaticPassword {
            fields.append(("password", account.isStaticPasswordSuspended ? "suspended" : "valid"))
        }
        for device in account.devices {
            fields.append(("device", "\(device.deviceID)  \(device.serialNumber)  \(device.stateText)"))
            fields.append(("  name", device.name))
            if !device.enrolledMethods.isEmpty {
                fields.append(("  methods", device.enrolledMethods.joined(separator: ", ")))
            }
            fields.append(("  last seen", device.lastSeenAt ?? "never"))
            if let end = device.codesUsedUntil {
                fields.append(("  codes", "used until \(end), by a clock that was ahead; 'user unblock' ends it"))
            }
        }
        for failures in account.failures {
            let source = failures.isOfKnownSource ? " from a known source" : ""
            let block = failures.isBlockedUntilLifted ? "until lifted" : failures.blockedUntil ?? "no"
            let counts = "\(failures.consecutive) in a row, \(failures.total) in all"
            fields.append(("failures", "\(failures.kind)\(source): \(counts); blocked: \(block)"))
        }
        if account.consecutiveFailures > 0 {
            let block = account.isBlockedUntilLifted ? "until lifted" : "no"
            fields.append(
                ("failures", "all sources: \(account.consecutiveFailures) in a row; blocked: \(block)"))
        }
        if let end = account.strictUntil { fields.append(("strict mode", "until \(end); 'user unblock' ends it")) }
        if let end = account.stepUpUntil { fields.append(("step-up", "until \(end); 'user unblock' ends it")) }
        if let end = account.mutedUntil { fields.append(("push", "none until \(end); 'user unblock' ends it")) }
        return fields
    }
}

/// `user unblock`: lifts the blocks of typed codes and passwords.
struct UserUnblock: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "unblock",
        abstract: "Lift the blocks of a user, and end the strict mode, the step-up and the mute of pushes.",
        discussion: """
            Codes that are used up because the clock of the platform was ahead are released, too. They are accepted once \
            the app has been online again; within five minutes of its last such change, it has to be online once more.
            """)

    @OptionGroup var data: DataOption
    @OptionGroup var output: OutputOption

    @OptionGroup var argument: UserArgument

    mutating func run() async throws {
        try await Administration(data: data).complete(.post, argument.path + "/lift-blocks")
        try output.print(status: "unblocked")
    }
}
