import ArgumentParser
import Primitives
import TrustedIdentity
import TrustedIdentityServer

/// `load fill-audit`: appends entries to the audit log of a platform that no server uses.
///
/// Each is an entry of a platform that lifts the blocks of a user.
struct FillAudit: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "fill-audit")

    @Option(help: "The folder of the platform.") var data: String
    @Option(help: "The number of entries.") var entries: Int

    func run() async throws {
        let (tasks, entries) = (256, entries)
        try await OpenedData.use(data) { installation in
            let platform = installation.platform
            try await withThrowingTaskGroup(of: Void.self) { group in
                for task in 0..<tasks {
                    group.addTask {
                        // Accounts of their own, so that no two tasks write one row.
                        let account = try AccountName(userID: "audit\(task)", domain: "master")
                        _ = try await platform.register(Registration(account: account))
                        for _ in stride(from: task + tasks, to: entries, by: tasks) {
                            try await platform.liftBlocks(of: account)
                        }
                    }
                }
                try await group.waitForAll()
            }
        }
    }
}
