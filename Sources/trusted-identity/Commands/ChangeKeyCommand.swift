internal import ArgumentParser
internal import CommandLineReports
internal import TrustedIdentityServer

/// `change-key`: the key from which the platform derives the secrets of later passwords.
struct ChangeKeyCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "change-key", abstract: "Replace a change key that is lost.",
        subcommands: [ChangeKeyReplace.self])
}

/// `change-key replace`: binds the database to another change key.
struct ChangeKeyReplace: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "replace", abstract: "Make a new change key in the place of a lost one.",
        discussion: """
            Stop the server first. A password that was changed, and used since, stays valid. Where a change of a password is \
            open, the user begins it again. A device that has stored its new password and never used it is lost: its \
            password is refused as a wrong one. Activate it again. After a restore of an earlier backup, so is each \
            device that has used a later password than that of the backup, if the lost key made that password. A backup \
            from before the replacement belongs to the lost key: after its restore, use --use-file with the present \
            change.key. The audit log has an entry of the replacement. Copy change.key and make a backup afterwards.
            """)

    @OptionGroup var data: DataOption
    @OptionGroup var output: OutputOption

    @Flag(help: "Take the key at its place, after an interrupted replacement or the restore of an earlier backup.")
    var useFile = false

    @Flag(help: "Do not ask for a confirmation.")
    var yes = false

    mutating func run() async throws {
        let administration = try Administration(data: data)
        if !yes { try confirm() }
        try await administration.replaceChangeKey(usesFile: useFile)
        try output.print(status: "replaced")
        StandardStream.error.print("copy change.key and make a backup now: an earlier one belongs to the lost key")
    }

    /// Says what the command does, and asks for the word yes.
    private func confirm() throws(ErrorReport) {
        StandardStream.error.print(
            """
            This replaces the change key. Devices that have stored a new password and never used it have to be activated \
            again. It cannot be undone. Type yes to go on:
            """)
        guard readLine() == "yes" else {
            throw ErrorReport(.refused, "not confirmed, nothing was changed", hint: "--yes skips the question")
        }
    }
}
