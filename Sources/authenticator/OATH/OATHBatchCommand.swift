import ArgumentParser
import OneTimePassword
import Primitives

/// `oath batch`: many codes in one run, for comparisons with other programs. The help does not list it.
///
/// Each line of the standard input is `totp KEY TIME DIGITS STEP ALGORITHM` or `hotp KEY COUNTER DIGITS ALGORITHM`,
/// with the key in hexadecimal. Each output line is the code for that input line.
struct OATHBatchCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "batch", abstract: "Calculate the code of every line of the standard input.", shouldDisplay: false)

    func run() throws {
        var number = 0
        while let line = readLine() {
            number += 1
            let fields = line.split(separator: " ").map(String.init)
            guard let code = try OATHOptions.reported({ try code(fields) }) else {
                throw ValidationError("line \(number) is not totp KEY TIME DIGITS STEP ALGORITHM or hotp KEY COUNTER …")
            }
            print(code.digits)
        }
    }

    private func code(_ fields: [String]) throws -> OneTimeCode? {
        guard let name = fields.last, let algorithm = HashAlgorithm(name: name), fields.count >= 5,
            let digits = Int(fields[3])
        else { return nil }
        let text = SecretBytes(copying: fields[1].utf8)
        switch (fields[0], fields.count) {
        case ("totp", 6):
            guard let seconds = Int64(fields[2]), let step = Int(fields[4]) else { return nil }
            let key = try OneTimePasswordKey(text: text, format: .hexadecimal, algorithm: algorithm)
            return try TOTP(key: key, digits: digits, timeStep: step).code(at: .init(secondsSinceEpoch: seconds))
        case ("hotp", 5):
            guard let counter = UInt64(fields[2]) else { return nil }
            let key = try OneTimePasswordKey(text: text, format: .hexadecimal, algorithm: algorithm)
            return try HOTP(key: key, digits: digits).code(counter: counter)
        default: return nil
        }
    }
}
