import ArgumentParser
import OneTimePassword
import Primitives

/// `oath totp`.
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
            expiresIn: totp.remainingTime(at: time))
    }
}

/// A time as an argument: seconds since the Unix epoch, also with `@` in front, or `2009-02-13T23:31:30Z`.
struct MomentArgument: ExpressibleByArgument {
    let time: Timestamp

    init?(argument: String) {
        if let seconds = Int64(argument.hasPrefix("@") ? String(argument.dropFirst()) : argument) {
            time = Timestamp(secondsSinceEpoch: seconds)
        } else if let seconds = Self.seconds(argument) {
            time = Timestamp(secondsSinceEpoch: seconds)
        } else {
            return nil
        }
    }

    /// Returns the seconds since the epoch of a date of RFC 3339 in UTC, without fractions.
    private static func seconds(_ text: String) -> Int64? {
        let form = "0000-00-00T00:00:00Z"
        let characters = Array(text.utf8)
        guard characters.count == form.utf8.count,
            zip(characters, form.utf8).allSatisfy({ $1 == 48 ? 48...57 ~= $0 : $0 == $1 })
        else { return nil }
        func number(_ range: Range<Int>) -> Int64 { range.reduce(0) { $0 * 10 + Int64(characters[$1] - 48) } }
        let (year, month, day) = (number(0..<4), number(5..<7), number(8..<10))
        let (hour, minute, second) = (number(11..<13), number(14..<16), number(17..<19))
        let isLeap = year.isMultiple(of: 4) && (!year.isMultiple(of: 100) || year.isMultiple(of: 400))
        let lengths: [Int64] = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
        guard 1...12 ~= month, 1...lengths[Int(month) - 1] ~= day, hour < 24, minute < 60, second < 60, year > 0
        else { return nil }
        let past = year - 1
        let leapDays = past / 4 - past / 100 + past / 400
        let days = past * 365 + leapDays + lengths.prefix(Int(month) - 1).reduce(0, +) + day - 1
        return (days - 719_162) * 86_400 + hour * 3600 + minute * 60 + second  // 719,162 days before 1970-01-01
    }
}
