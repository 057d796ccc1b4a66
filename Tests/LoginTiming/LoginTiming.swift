import Foundation
import Orchestration
import OrchestrationTesting
import Primitives
import TrustedIdentity
import TrustedIdentitySQLite
import TrustedIdentityServer

/// The platform that `Tests/Scripts/login-timing` measures.
///
/// `login-timing prepare FOLDER` makes a database with an account for each character of the first line of standard input:
/// - `r` and `w`: codes are blocked; the device of `r` stays here, for right codes.
/// - `b`: as `w`, and the log lists no further refusal of this hour.
/// - `f`: one code was wrong.
/// - `n` and `u`: no code was wrong.
///
/// It prints an API key, and then answers each line with the number of an account `r` by the right code of its device,
/// until standard input ends.
///
/// `login-timing serve FOLDER` serves the database, prints its port, and ends with standard input.
@main
enum LoginTiming {
    static func main() async throws {
        let arguments = CommandLine.arguments
        switch (arguments.count, arguments.dropFirst().first) {
        case (3, "prepare"): try await prepare(folder: arguments[2])
        case (3, "serve"): try await serve(folder: arguments[2])
        default:
            print("usage: login-timing prepare|serve FOLDER")
            exit(2)
        }
    }

    private static func prepare(folder: String) async throws {
        let (store, installation) = try await open(folder)
        let platform = installation.platform
        let devices = Devices(platform: platform)
        var codes: [Int: Orchestrator] = [:]
        for (number, role) in (readLine() ?? "").enumerated() {
            let account = try AccountName(userID: user(number), domain: "master")
            let device = try await devices.activate(account)
            switch role {
            case "r":
                codes[number] = device
                try await block(account.text, in: store)
            case "w": try await block(account.text, in: store)
            case "b":
                try await block(account.text, in: store)
                for _ in 0..<AuditListing.limit { try await refuse(account, on: platform) }
            case "f": try await refuse(account, on: platform)
            default: break
            }
        }
        let key = try await platform.createAPIKey(scope: .applicationServer, name: "timing").secret
        // As `serve` does in its first seconds.
        guard try await Maintenance(platform).prepareRefusals() else { throw CocoaError(.fileWriteUnknown) }
        try await store.close()
        write(key)
        for await line in lines() {
            guard let number = Int(line), let device = codes[number] else { continue }
            let parameters = OneTimePasswordParameters(user: user(number), synchronization: .never)
            write(try await device.oneTimePassword(for: parameters).oneTimePassword)
        }
    }

    private static func serve(folder: String) async throws {
        let (store, installation) = try await open(folder)
        // As `serve` does at its start. Later runs would find nothing to do.
        _ = try await Maintenance(installation.platform).runOnce()
        try await installation.server().run { port in
            write("\(port)")
            for await _ in lines() {}
        }
        try await store.close()
    }

    private static func open(_ folder: String) async throws -> (SQLiteStore, Installation) {
        let store = try await SQLiteStore(path: folder + "/platform.sqlite")
        let key = "timing:" + String(repeating: "5a", count: 32)
        let installation = try await Installation(
            configuration: .init(server: ServerConfiguration(port: 0)), store: store,
            masterKey: MasterKey(encoded: SecretBytes(copying: key.utf8)))
        return (store, installation)
    }

    /// The names have one length, so that neighbors in the order of their numbers are neighbors in the database.
    private static func user(_ number: Int) -> String { String(format: "user%06d", number) }

    private static func refuse(_ account: AccountName, on platform: Platform) async throws {
        let decision = try await platform.login(.init(account: account, credential: .oneTimePassword("00000000")))
        guard decision.status == .refused else { throw CocoaError(.featureUnsupported) }
    }

    /// Blocks typed codes of an account until an administrator lifts the block.
    private static func block(_ account: String, in store: SQLiteStore) async throws {
        let isBlocked = try await store.write { store in
            guard var record = try store.throttle(ThrottleKey(account: account, kind: .code)) else { return false }
            record.total = 50
            return try store.update(record)
        }
        guard isBlocked else { throw CocoaError(.fileWriteUnknown) }
    }

    /// The lines of standard input, read on a thread of their own.
    private static func lines() -> AsyncStream<String> {
        AsyncStream { continuation in
            Thread.detachNewThread {
                while let line = readLine() { continuation.yield(line) }
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

    func activate(_ account: AccountName) async throws -> Orchestrator {
        let receipt = try await platform.register(.init(account: account))
        let orchestrator = try await Orchestrator(
            configuration: .testing(postQuantum: .off), transport: InProcessTransport(to: { [platform] in platform }),
            providers: [ScriptedUser(password: "482915")], store: MemoryStore())
        _ = try await orchestrator.activation(
            for: ActivationParameters(user: account.userID, activationPassword: receipt.activationPassword))
        return orchestrator
    }
}
