import Foundation
import Orchestration
import OrchestrationTesting
import Primitives
import TrustedIdentity
import TrustedIdentityServer

/// A platform on a database, behind a proxy that adds the addresses of callers.
///
/// It prints its port, an API key, and the codes of each user, one line each, and serves until its standard input ends.
enum FloodServer {
    /// The number of logins a second, and of exchanges of strangers.
    static let rate = 500
    /// The number of users whose codes log in.
    static let users = 250
    /// The seconds of logins before the first phase.
    static let warmUp = 3

    /// The number of logins of each user in two phases.
    static func logins(in seconds: Int) -> Int { rate * (warmUp + 2 * seconds) / users }

    static func run(folder: String, loginsOfEachUser logins: Int) async throws {
        let store = try await SQLiteDatabase(path: folder + "/platform.sqlite")
        let installation = try await Installation(
            configuration: .init(
                server: ServerConfiguration(
                    port: 0, proxies: TrustedProxies([AddressRange("127.0.0.1")].compactMap(\.self)))), store: store,
            masterKey: MasterKey.make(id: "flood"))
        let platform = installation.platform
        let key = try await platform.createAPIKey(scope: .applicationServer, name: "flood").secret
        var codes: [[String]] = []
        for number in 0..<users {
            codes.append(try await self.codes(of: "user\(number)", count: logins, on: platform))
        }
        try await installation.server().run { [codes] port in
            write("\(port) \(key)")
            for line in codes { write(line.joined(separator: " ")) }
            // On a thread of its own: tasks share the threads that are measured.
            await withCheckedContinuation { continuation in
                Thread.detachNewThread {
                    while readLine() != nil {}
                    continuation.resume()
                }
            }
        }
        try await store.close()
    }

    /// Activates a device and makes codes of its counter.
    private static func codes(of user: String, count: Int, on platform: Platform) async throws -> [String] {
        let receipt = try await platform.register(.init(account: AccountName(userID: user, domain: "master")))
        let orchestrator = try await Orchestrator(
            configuration: .testing(postQuantum: .off), transport: InProcessTransport(to: { platform }),
            providers: [ScriptedUser(password: "482915")], store: MemoryStore())
        let device = orchestrator.user(user)
        try await device.activate(with: receipt.activationPassword)
        var codes: [String] = []
        for _ in 0..<count {
            let code = try await device.oneTimePassword(application: .app2, synchronizingWithin: nil)
            codes.append(code.oneTimePassword)
        }
        return codes
    }

    private static func write(_ line: String) {
        FileHandle.standardOutput.write(Data("\(line)\n".utf8))
    }
}
