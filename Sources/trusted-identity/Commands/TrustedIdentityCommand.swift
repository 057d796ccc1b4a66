internal import ArgumentParser

/// The root: names the subcommands.
struct TrustedIdentityCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: Failure.program,
        abstract: "Serve and administer the platform.",
        discussion: """
            Exit codes: 0 done, 1 failed, 2 wrong usage, 3 refused (no such user or key), 4 in use by another process, \
            5 the running server cannot be asked, 6 the data cannot be used.
            """,
        subcommands: [Serve.self, Key.self, User.self, Restored.self])
}

/// Where the data lies: an option of every subcommand.
struct DataOption: ParsableArguments {
    @Option(name: .customLong("data"), help: "The folder with the platform's data.")
    var path: String
}

/// How to print: an option of the subcommands that print something.
struct OutputOption: ParsableArguments {
    @Flag(name: .customLong("json"), help: "Print JSON, for programs.")
    var isJSON = false
}
