import ArgumentParser
import Orchestration

/// `users`.
struct ListUsers: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "list", abstract: "List the users of this device.")

    @OptionGroup var options: GlobalOptions

    mutating func run() async throws {
        let users = try await options.storedUsers()
        var summaries: [UserSummary] = []
        for account in try await users.list() {
            do {
                summaries.append(UserSummary(try await users.information(account.text)))
            } catch let error as OrchestrationError {
                // One damaged user does not hide the others.
                summaries.append(UserSummary(account, error))
            }
        }
        if options.json {
            print(try JSONReport.text(summaries))
        } else if summaries.isEmpty {
            print("No users.")
        } else {
            let rows = summaries.map { [$0.user, $0.state, $0.deviceID ?? "-"] }
            print(Table(heading: ["USER", "STATE", "DEVICE"], rows: rows).text)
        }
    }
}

/// A line of the list.
private struct UserSummary: Encodable {
    let user: String
    let state: String
    let deviceID: String?

    init(_ information: UserInformation) {
        user = information.account.text
        state = information.state.rawValue
        deviceID = information.deviceID
    }

    init(_ account: AccountName, _ error: OrchestrationError) {
        user = account.text
        state = error.code.description
        deviceID = nil
    }
}
