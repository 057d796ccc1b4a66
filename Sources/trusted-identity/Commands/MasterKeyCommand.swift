internal import ArgumentParser
internal import CommandLineReports
internal import TrustedIdentity
internal import TrustedIdentityServer

/// `master-key`: the key that seals the secrets in the database.
struct MasterKeyCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "master-key", abstract: "Show and replace the master key.",
        subcommands: [MasterKeyStatus.self, MasterKeyRotate.self])
}

/// `master-key status`: the master keys that the data need.
struct MasterKeyStatus: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "status", abstract: "Show which master keys the data need, and how far a replacement is.")

    @OptionGroup var data: DataOption
    @OptionGroup var output: OutputOption

    mutating func run() async throws {
        let keys: MasterKeyReport = try await Administration(data: data).send(.get, "v1/master-keys")
        if output.isJSON { return try StandardStream.output.print(json: keys) }
        StandardStream.output.print("master key: \(keys.id)")
        if let previous = keys.previousID { StandardStream.output.print("replaces:   \(previous), \(keys.progress)") }
    }
}

/// `master-key rotate`: replaces the master key.
struct MasterKeyRotate: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "rotate", abstract: "Replace the master key, while the server runs or not.",
        discussion: """
            The command makes a new key, seals every row under it, and moves the files of the keys at the end. It takes a minute \
            or more. No request fails meanwhile. After an interruption, run it again. Copy the new key afterwards and make a \
            backup: an earlier one needs the earlier key, which stays beside the new one with its id after its name.
            """)

    @OptionGroup var data: DataOption
    @OptionGroup var output: OutputOption

    @Flag(help: "Do not ask for a confirmation.")
    var yes = false

    @Flag(help: "Return when the replacement has begun. Run the command again to move the files at the end.")
    var noWait = false

    mutating func run() async throws {
        let administration = try Administration(data: data)
        let files = try administration.masterKeyFiles
        let before: MasterKeyReport = try await administration.send(.get, "v1/master-keys")
        if before.previousID == nil, try administration.nextMasterKey()?.id != before.id {
            if !yes { try confirm() }
            if try administration.nextMasterKey() == nil { try files.makeNext() }
        }
        let isTerminal = StandardStream.error.isTerminal
        let keys = try await administration.withClient { [noWait] client in
            var keys: MasterKeyReport = try await client.send(.post, "v1/master-keys/replace")
            while !noWait, keys.previousID != nil {
                if isTerminal { StandardStream.error.write("\r\(keys.progress) ") }
                try await client.continueReplacement()
                try await Task.sleep(for: .seconds(1))
                keys = try await client.send(.get, "v1/master-keys")
            }
            return keys
        }
        if isTerminal { StandardStream.error.write("\r") }
        guard keys.previousID == nil else {
            try report(keys, status: "begun")
            return StandardStream.error.print("run master-key rotate again before the next start of the server")
        }
        let isMoved = try files.finish(id: keys.id)
        try report(keys, status: "replaced")
        StandardStream.error.print(
            isMoved
                ? "copy the new master key and make a backup now; keep the earlier key apart, with the backups that it opens"
                : "give the server the new key as master-key before its next start, and no other one beside it")
    }

    private func report(_ keys: MasterKeyReport, status: String) throws {
        if output.isJSON { return try StandardStream.output.print(json: keys) }
        StandardStream.output.print("\(status): \(keys.id)")
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

extension MasterKeyReport {
    fileprivate var progress: String { "\(checkedRows) rows checked, \(renewedRows) renewed" }
}
