import ArgumentParser
import CommandLine
import Primitives

/// `salts`: the two random constants of a new app.
struct MakeSalts: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "salts",
        abstract: "Make the two salts of a new app at random.",
        discussion: """
            An app has two constants, of 16 to 64 bytes, that separate its keys from the keys of other apps. This \
            command makes 32 random bytes for each. They are not secret. Make them once and never change them: with \
            other salts, stored users cannot be read.
            """)

    @Flag(help: "Print JSON on one line.")
    var json = false

    mutating func run() async throws {
        let salts = SaltsReport()
        if json {
            try StandardStream.output.print(json: salts)
        } else {
            StandardStream.output.print("authenticator: \(salts.authenticator)")
            StandardStream.output.print("storage: \(salts.storage)")
        }
    }
}

/// Two salts, each as 64 hexadecimal digits.
private struct SaltsReport: Encodable {
    let authenticator = Hex.encode(SystemRandomSource().bytes(32))
    let storage = Hex.encode(SystemRandomSource().bytes(32))
}
