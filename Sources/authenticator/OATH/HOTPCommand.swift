// Public, because the conformance of a public type is public, also in a program.
public import ArgumentParser
public import OneTimePassword

/// `oath hotp`.
struct HOTPCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "hotp", abstract: "Calculate a counter-based one-time password (RFC 4226).")

    @OptionGroup var options: OATHOptions

    @Option(help: "The counter.")
    var counter: UInt64 = 0

    @Option(help: "The number of digits, 6 to 10.")
    var digits = 6

    @Option(help: "The hash function: SHA1, SHA256 or SHA512.")
    var algorithm: HashAlgorithm = .sha1

    func run() throws {
        try OATHOptions.reported(calculate)
    }

    private func calculate() throws {
        let key = try options.key(algorithm)
        let hotp = try HOTP(key: key, digits: digits)
        options.show((0...UInt64(options.window)).map { hotp.code(counter: counter &+ $0) })
    }
}

extension HashAlgorithm: ExpressibleByArgument {
    /// Creates the algorithm of a name, in upper or lower case.
    public init?(argument: String) { self.init(name: argument) }
}
