import ArgumentParser

/// The calculator: one-time passwords from a key at hand, without a store and without a platform.
struct OATHCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "oath",
        abstract: "Calculate one-time passwords from a key, as oathtool does.",
        subcommands: [TOTPCommand.self, HOTPCommand.self, OCRACommand.self, OATHBatchCommand.self])
}
