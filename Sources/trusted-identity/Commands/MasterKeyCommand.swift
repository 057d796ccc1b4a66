internal import ArgumentParser
internal import CommandLineReports
internal import TrustedIdentity
internal import TrustedIdentityServer

/// `master-key`: the key that wraps the keys of the data.
struct MasterKeyCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "master-key", abstract: "Show and replace the master key.",
        subcommands: [MasterKeyStatus.self, MasterKeyRotate.self])
}

/// `master-key status`: the master key that the data need.
struct MasterKeyStatus: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "status", abstract: "Show which master key the data need.")

    @OptionGroup var data: DataOption
    @OptionGroup var output: OutputOption

    mutating func run() async throws {
        let key: MasterKeyReport = try await Administration(data: data).send(.get, "v1/master-keys")
        if output.isJSON { return try StandardStream.output.print(json: key) }
        StandardStream.output.print("master key: \(key.id)")
    }
}

/// `master-key rotate`: replaces the master key.
struct MasterKeyRotate: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "rotate", abstract: "Replace the master key, while the server runs or not.",
        discussion: """
            The command makes a new key, wraps the keys of the data by it, and moves the files of the keys. No request \
            fails meanwhile. After an interruption, run it again. Copy the new key afterwards and make a backup: an earlier \
            one needs the earlier key, which stays beside the new one with its id after its name.
            """)

    @OptionGroup var data: DataOption
    @OptionGroup var output: OutputOption

    @Flag(help: "Do not ask for a confirmation.")
    var yes = false

    mutating func run() async throws {
        let administration = try Administration(data: data)
        let files = try administration.masterKeyFiles
        let before: MasterKeyReport = try await administration.send(.get, "v1/master-keys")
        if try administration.nextMasterKey()?.id != before.id {
            if !yes { try confirm() }
            if try administration.nextMasterKey() == nil { try files.makeNext() }
        }
        let key: MasterKeyReport = try await administration.send(.post, "v1/master-keys/replace")
        let isMoved = try files.finish(id: key.id)
        if output.isJSON {
            try StandardStream.output.print(json: key)
        } else {
            StandardStream.output.print("replaced: \(key.id)")
        }
        StandardStream.error.print(
            isMoved
                ? "copy the new master key and make a backup now; keep the earlier key apart, with the backups that it opens"
                : "give the server the new key as master-key before its next start, and no other one beside it")
    }

    /// Says what the command does, and asks for the word yes.
    private func confirm() throws(ErrorReport) {
        StandardStream.error.print(
            """
            This replaces the master key. The data need the new one from now on, and backups from before the earlier one. It \
            cannot be undone. Type yes to go on:
            """)
        guard readLine() == "yes" else {
            throw ErrorReport(.refused, "not confirmed, nothing was changed", hint: "--yes skips the question")
        }
    }
}
