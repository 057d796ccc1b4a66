import Foundation
import Orchestration
import OrchestrationTesting
import Primitives
import TrustedIdentity
import TrustedIdentitySQLite
import TrustedIdentityServer

/// The platform that `Tests/Scripts/login-timing` measures: blocked accounts, accounts that are not blocked, and a
/// server.
///
/// It prints its port and an API key, and then answers each line with the number of a blocked account by the right code
/// of its device, until standard input ends.
@main
enum LoginTiming {
    static func main() async throws {
        guard CommandLine.arguments.count == 4, let blocked = Int(CommandLine.arguments[2]),
            let free = Int(CommandLine.arguments[3])
        else {
            print("usage: login-timing FOLDER BLOCKED FREE")
            exit(2)
        }
        let store = try await SQLiteStore(path: CommandLine.arguments[1] + "/platform.sqlite")
        let installation = try await Installation(
            configuration: .init(server: ServerConfiguration(port: 0)), store: store,
            masterKey: MasterKey.make(id: "timing"))
        let devices = Devices(platform: installation.platform)
        for number in 0..<free { _ = try await devices.activate("free\(number)") }
        var codes: [Orchestrator] = []
        for number in 0..<blocked {
            codes.append(try await devices.activate("blocked\(number)"))
            try await block("blocked\(number)@master", in: store)
        }
        let key = try await installation.platform.createAPIKey(scope: .applicationServer, name: "timing").secret
        try await installation.server().run { [codes] port in
            write("\(port) \(key)")
            for await number in requests() where codes.indices.contains(number) {
                let parameters = OneTimePasswordParameters(user: "blocked\(number)", synchronization: .never)
                write(try await codes[number].oneTimePassword(for: parameters).oneTimePassword)
            }
        }
        try await store.close()
    }

    /// Blocks typed codes of an account until an administrator lifts the block.
    private static func block(_ account: String, in store: SQLiteStore) async throws {
        let isBlocked = try await store.write { store in
            var record = ThrottleRecord(
                key: ThrottleKey(account: account, kind: .code), now: SystemTimeSource().now())
            record.total = 50
            return try store.insert(record)
        }
        guard isBlocked else { throw CocoaError(.fileWriteUnknown) }
    }

    /// The numbers on standard input, read on a thread of their own.
    private static func requests() -> AsyncStream<Int> {
        AsyncStream { continuation in
            Thread.detachNewThread {
                while let line = readLine() {
                    if let number = Int(line) { continuation.yield(number) }
                }
                continuation.finish()
            }
        }
    }

    private static func write(_ line: String) {
        FileHandle.standardOutput.write(Data("\(line)\n".utf8))
    }
}

/// Devices whose passwords cost little, so that thousands of them can be activated.
private struct Devices {
    let platform: Platform

    func activate(_ user: String) async throws -> Orchestrator {
        let account = try AccountName(userID: user, domain: "master")
        let receipt = try await platform.register(.init(account: account))
        let orchestrator = try await Orchestrator(
            configuration: .testing(postQuantum: .off), transport: InProcessTransport(to: { [platform] in platform }),
            providers: [ScriptedUser(password: "482915")], store: MemoryStore())
        _ = try await orchestrator.activation(
            for: ActivationParameters(user: user, activationPassword: receipt.activationPassword))
        return orchestrator
    }
}
