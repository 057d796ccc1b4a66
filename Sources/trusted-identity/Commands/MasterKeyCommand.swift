internal import ArgumentParser
internal import CommandLine
internal import TrustedIdentity
internal import TrustedIdentityServer

/// `master-key`: the key that wraps the keys of the data.
struct MasterKeyCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "master-key", abstract: "Show and replace the master key.",
        subcommands: [MasterKeyStatus.self, MasterKeyRotate.self])
}

/// `master-key status`: the master key that the data needs.
struct MasterKeyStatus: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "status", abstract: "Show which master key the data needs.")

    @OptionGroup var data: DataOption
    @OptionGroup var output: OutputOption

    mutating func run() async throws {
        let key: MasterKeyReport = try await Administration(data: data).send(.get, "v1/master-keys")
        try StandardStream.output.print(key, asJSON: output.isJSON, else: "master key: \(key.id)")
    }
}

/// `master-key rotate`: replaces the master key.
struct MasterKeyRotate: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "rotate", abstract: "Replace the master key, while the server runs or not.",
        discussion: """
            The command makes a new key, wraps the keys of the data by it, and moves the files of the keys. No request \
            fails meanwhile. After an interruption, run it again. Copy the new key afterwards and make a backup: an earlier \
            one needs the previous key, which stays next to the new one with its id after its name. With a database on a \
            server, a process that was started without the new key is not ready afterwards: name the key as \
            next-master-key on each server first, and start each again.
            """)

    @OptionGroup var data: DataOption
    @OptionGroup var output: OutputOption

    @OptionGroup var confirmation: Confirmation

    mutating func run() async throws {
        let administration = try Administration(data: data)
        let files = try administration.masterKeyFiles
        let before: MasterKeyReport = try await administration.send(.get, "v1/master-keys")
        let given = try administration.nextMasterKey()
        if given?.id != before.id {
            try confirmation.require(
                """
                This replaces the master key. The data then needs the new key. Backups from before need the previous one. It \
                cannot be undone. Type yes to continue:
                """)
        }
        try files.prepareNext(isGiven: given != nil)
        let key: MasterKeyReport = try await administration.send(.post, "v1/master-keys/replace")
        let isMoved = try files.finish(id: key.id)
        guard isMoved || key.id != before.id else {
            throw ErrorReport(
                .refused, "the data has this master key already, nothing was changed",
                hint: "put another key into the place that next-master-key names")
        }
        try StandardStream.output.print(key, asJSON: output.isJSON, else: "replaced: \(key.id)")
        if administration.isOnServer {
            StandardStream.error.print(
                "each server of the database needs the new master key: one that was started without it is not ready")
        }
        StandardStream.error.print(
            isMoved
                ? "copy the new master key and make a backup now; keep the previous key apart, with the backups that it opens"
                : "give the server the new key as master-key before its next start, and no other key")
    }
}
