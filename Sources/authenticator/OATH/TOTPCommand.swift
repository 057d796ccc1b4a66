import ArgumentParser
import OneTimePassword
import Primitives

/// `authenticator oath totp`
struct TOTPCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "totp", abstract: "Calculate a time-based one-time password (RFC 6238).")

    @OptionGroup var options: OATHOptions

    @Option(help: "The time: seconds since 1970 or 2009-02-13T23:31:30Z. (default: now)")
    var time: MomentArgument?

    @Option(help: "The number of digits, 6 to 10.")
    var digits = 6

    @Option(help: "The length of a time step in seconds.")
    var step = 30

    @Option(help: "When the first time step began, in seconds since 1970.")
    var start: Int64 = 0

    @Option(help: "The hash function: SHA1, SHA256 or SHA512.")
    var algorithm: HashAlgorithm = .sha1

    func run() throws {
        try OATHOptions.reported(calculate)
    }

    private func calculate() throws {
        let key = try options.key(algorithm)
        let totp = try TOTP(key: key, digits: digits, timeStep: step, start: start)
        let time = time?.time ?? SystemTimeSource().now()
        let first = totp.step(at: time)
        options.show(
            (0...UInt64(options.window)).map { totp.code(step: first &+ $0) },
            expiresIn: totp.remainingMilliseconds(at: time))
    }
}
