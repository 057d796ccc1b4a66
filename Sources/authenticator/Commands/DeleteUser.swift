import ArgumentParser
import Orchestration

/// `users delete USER`.
struct DeleteUser: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "delete",
        abstract: "Delete a user from this device, and tell the platform if it can be reached.")

    @OptionGroup var who: UserArgument
    @OptionGroup var options: GlobalOptions

    mutating func run() async throws {
        let warnings = try await options.orchestrator().users.delete(who.user)
        for warning in warnings { Complaint.note("warning: \(warning.message)") }
        if options.json {
            print(try JSONReport.text(DeletionReport(deleted: who.user, platformInformed: warnings.isEmpty)))
        } else {
            print("\(who.user) is deleted from this device.")
        }
    }
}

/// What `users delete --json` prints.
private struct DeletionReport: Encodable {
    let deleted: String
    let platformInformed: Bool
}
