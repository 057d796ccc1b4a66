import ArgumentParser

/// Where the password comes from.
struct PasswordOptions: ParsableArguments {
    @Option(help: ArgumentHelp("Read the password from this open descriptor, not from the terminal.", valueName: "n"))
    var passwordFd: Int32?

    mutating func validate() throws {
        try OpenDescriptor.check(passwordFd, option: "--password-fd")
    }
}
