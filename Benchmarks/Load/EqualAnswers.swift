import ArgumentParser
import AsyncHTTPClient
import Foundation
import NIOCore
import NIOHTTP1
import Primitives
import Synchronization
import TrustedIdentity
import TrustedIdentityServer

/// `load equal-answers`: measures at which tick refusals are answered over HTTP, and plants delays to show that it would
/// find one. Ends with 1 when a planted 60 ms is not found, and when a planted 5 ms or an unknown account moves 2 % of the
/// refusals or more.
///
/// Run it at rest. The kinds are sent in turns over one connection.
struct EqualAnswers: AsyncParsableCommand {
    @Option(help: "The number of refusals of each kind.") var count = 500

    private enum Kind: String, CaseIterable {
        case wrong = "wrong code"
        case unknown = "unknown account"
        case short = "planted 5 ms"
        case long = "planted 60 ms"

        var user: String { self == .unknown ? "unknown" : "alice" }

        var delay: Duration {
            switch self {
            case .wrong, .unknown: .zero
            case .short: .milliseconds(5)
            case .long: .milliseconds(60)
            }
        }
    }

    func run() async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("equal-answers-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let database = try await SQLiteDatabase(path: folder.appendingPathComponent("platform.sqlite").path)
        let store = DelayedStore(base: database)
        let installation = try await Installation(
            configuration: .init(platform: .init(requestsPerAddress: 60_000), server: ServerConfiguration(port: 0)),
            store: store, masterKey: MasterKey.make(id: "load"))
        let platform = installation.platform
        _ = try await platform.register(.init(account: AccountName(userID: "alice", domain: "master")))
        let key = try await platform.createAPIKey(scope: .applicationServer, name: "equal answers").secret
        let ticks = try await installation.server().run { port in
            try await measure(port: port, key: key, platform: platform, store: store)
        }
        try await database.close()
        try report(ticks)
    }

    /// Returns the number of the tick of each answer.
    private func measure(
        port: Int, key: String, platform: Platform, store: DelayedStore
    ) async throws -> [Kind: [Int]] {
        var ticks: [Kind: [Int]] = [:]
        let body = #"{"objectType":"LoginInput","credentials":{"authenticator":{"OTP":"00000000"}}}"#
        for round in 0..<count + 10 {
            for kind in Kind.allCases.shuffled() {
                var request = HTTPClientRequest(url: "http://127.0.0.1:\(port)/v1/users/\(kind.user)/login")
                request.method = .POST
                request.headers = ["Authorization": "Bearer \(key)", "Content-Type": "application/json"]
                request.body = .bytes(ByteBuffer(string: body))
                store.delays.withLock { $0 = [.zero, kind.delay] }
                let begin = ContinuousClock.now
                let response = try await HTTPClient.shared.execute(request, timeout: .seconds(60))
                let answer = String(buffer: try await response.body.collect(upTo: 4_096))
                let elapsed = ContinuousClock.now - begin
                store.delays.withLock { $0 = [] }
                guard answer.contains("\"failed\"") else { throw ValidationError("an answer is \(answer)") }
                // The first rounds open the connection.
                if round >= 10 { ticks[kind, default: []].append(Int(elapsed / .milliseconds(25))) }
            }
            // Refusals of alice would be those of a block otherwise.
            try await platform.liftBlocks(of: AccountName(userID: "alice", domain: "master"))
        }
        return ticks
    }

    private func report(_ ticks: [Kind: [Int]]) throws {
        func share(_ kind: Kind, of tick: Int) -> Double {
            let all = ticks[kind] ?? []
            return Double(all.count { $0 == tick }) / Double(max(1, all.count))
        }
        print("kind             tick 1   tick 2   tick 3   later")
        for kind in Kind.allCases {
            let shares = (1...3).map { share(kind, of: $0) }
            let columns = (shares + [1 - shares.reduce(0, +)]).map { String(format: "%6.2f %%", 100 * $0) }
            print(kind.rawValue.padding(toLength: 17, withPad: " ", startingAt: 0) + columns.joined(separator: " "))
        }
        let moved = [Kind.short, .unknown].map { abs(share($0, of: 1) - share(.wrong, of: 1)) }
        print(
            String(
                format: "5 ms moved %.2f %% of the refusals, and an unknown account %.2f %%; below 2 %% are expected",
                100 * moved[0], 100 * moved[1]))
        guard moved.allSatisfy({ $0 < 0.02 }), share(.long, of: 3) > 0.9 else { throw ExitCode(1) }
    }
}

/// A store whose next reads begin after delays: that of the API key, and that of the login.
private final class DelayedStore: SQLDatabase {
    let base: SQLiteDatabase
    let delays = Mutex<[Duration]>([])

    init(base: SQLiteDatabase) { self.base = base }

    func read<R: Sendable>(_ body: @escaping @Sendable (any SQLSession) throws -> R) async throws -> R {
        let delay = delays.withLock { $0.isEmpty ? .zero : $0.removeFirst() }
        if delay > .zero { try await Task.sleep(for: delay) }
        return try await base.read(body)
    }

    func write<R: Sendable>(_ body: @escaping @Sendable (any SQLSession) throws -> R) async throws -> R {
        try await base.write(body)
    }
}
