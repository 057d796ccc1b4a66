import ArgumentParser

/// What every command that uses the store takes.
struct GlobalOptions: ParsableArguments {
    @Option(help: ArgumentHelp("The base address of the platform, for commands that talk to it.", valueName: "url"))
    var platform = "http://127.0.0.1:8080"

    @Option(
        help: ArgumentHelp(
            "The folder of the store. Default: $XDG_DATA_HOME/authenticator, or ~/.local/share/authenticator.",
            valueName: "dir"))
    var store: String?

    @Flag(help: "Print JSON on one line.")
    var json = false

    @Option(help: "The tenant at the platform.")
    var tenant = "default"

    @Option(help: "The domain of users that are given without @domain.")
    var domain = "master"
}
