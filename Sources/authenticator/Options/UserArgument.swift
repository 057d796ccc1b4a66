import ArgumentParser

/// Whose command it is.
struct UserArgument: ParsableArguments {
    @Argument(help: "The user, or user@domain.")
    var user: String
}
