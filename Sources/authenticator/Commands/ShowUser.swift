import ArgumentParser
import Orchestration

/// `users show USER`.
struct ShowUser: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show", abstract: "Show what this device knows of a user.")

    @OptionGroup var who: UserArgument
    @OptionGroup var options: GlobalOptions

    mutating func run() async throws {
        let user = try await options.storedUsers().information(who.user)
        let report = UserReport(user)
        print(options.json ? try JSONReport.text(report) : report.text)
    }
}
