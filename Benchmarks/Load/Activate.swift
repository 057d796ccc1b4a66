import ArgumentParser
import Foundation
import Orchestration
import OrchestrationHTTP
import OrchestrationTesting

/// `load activate`: activates devices over HTTP, and lets each make codes in advance.
///
/// The password hash of the devices has the cost of tests. The platform does the same work as for any device.
struct Activate: AsyncParsableCommand {
    @Option(help: "The address of the platform.") var platform: String
    @Option(help: "An API key of the scope app-server.") var key: String
    @Option(help: "The number of accounts.") var accounts = 1_000
    @Option(help: "The codes of each account.") var codes: Int
    @Option(help: "The scheme of the notification identifiers, such as webhook; none by default.") var scheme: String?
    @Argument(help: "The file for the accounts and their codes.") var file: String

    func run() async throws {
        guard let url = URL(string: platform) else { throw ValidationError("--platform is no address") }
        let site = Site(url: platform, key: key)
        let (first, count, codes, scheme) = (UUID().uuidString.prefix(8).lowercased(), accounts, codes, scheme)
        let prepared = try await withThrowingTaskGroup(of: PreparedCodes.Account.self) { group in
            var (prepared, next): ([PreparedCodes.Account], Int) = ([], 0)
            while prepared.count < count {
                while next < count, next - prepared.count < 8 {
                    let user = "load\(first)\(next)"
                    group.addTask { try await Self.activate(user, codes: codes, scheme: scheme, at: url, site: site) }
                    next += 1
                }
                guard let account = try await group.next() else { break }
                prepared.append(account)
                if prepared.count % 100 == 0 { print("\(prepared.count) of \(count) devices are activated") }
            }
            return prepared
        }
        try PreparedCodes(accounts: prepared).write(to: file)
    }

    private static func activate(
        _ user: String, codes: Int, scheme: String?, at url: URL, site: Site
    ) async throws -> PreparedCodes.Account {
        let orchestrator = try await Orchestrator(
            configuration: .testing(postQuantum: .off), transport: try HTTPTransport(endpoint: url),
            providers: [ScriptedUser(password: "482915")], store: MemoryStore())
        let device = orchestrator.user(user)
        try await device.activate(with: try await site.register(user))
        if let scheme {
            try await device.registerNotifications(identifier: .push("\(scheme):\(user)"))
        }
        var made: [String] = []
        for _ in 0..<codes {
            let code = try await device.oneTimePassword(application: .app2, synchronizingWithin: nil)
            made.append(code.oneTimePassword)
        }
        return PreparedCodes.Account(user: user, codes: made)
    }
}
