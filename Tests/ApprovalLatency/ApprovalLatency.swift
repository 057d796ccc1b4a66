import Foundation
import OrchestrationHTTP
import Primitives
import TrustedIdentity
import TrustedIdentitySQLite
import TrustedIdentityServer

/// Measures how long a login takes to reach an open stream, and an approval to end the login that waits for it, over
/// HTTP, on a database.
///
/// Each user has a device with an open stream. `Tests/Scripts/approval-latency` builds and runs it.
@main
enum ApprovalLatency {
    /// The goal for the 99th percentile of both times, in milliseconds.
    private static let goal = 20.0

    static func main() async throws {
        let counts = CommandLine.arguments.dropFirst().compactMap { Int($0) }
        guard counts.count == 2, CommandLine.arguments.count == 3, (1...500).contains(counts[0]), counts[1] >= 100
        else {
            print("usage: approval-latency STREAMS LOGINS (1 to 500 streams, 100 logins or more)")
            exit(2)
        }
        exit(try await measure(streams: counts[0], logins: counts[1]) ? 0 : 1)
    }

    /// Starts a server on a database of its own and measures it.
    ///
    /// - Returns: Whether the goals are met.
    private static func measure(streams: Int, logins: Int) async throws -> Bool {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let store = try await SQLiteStore(path: folder.appendingPathComponent("platform.sqlite").path)
        guard let pushes = PushLimits(burst: 100, window: .seconds(1), daily: 100),
            let policy = Policy(name: "latency", pushes: pushes)
        else { throw CocoaError(.coderInvalidValue) }
        let installation = try await Installation(
            configuration: .init(
                platform: PlatformConfiguration(policy: policy, requestsPerDevice: 6_000, requestsPerAddress: 60_000),
                server: ServerConfiguration(port: 0)),
            store: store,
            masterKey: MasterKey.make(id: "latency"))
        let key = try await installation.platform.createAPIKey(scope: .applicationServer, name: "latency").secret
        let result = Result()
        try await installation.server().run { port in
            guard let url = URL(string: "http://127.0.0.1:\(port)") else { throw CocoaError(.coderInvalidValue) }
            let site = Site(url: url.absoluteString, key: key)
            report("\(streams) devices are activated")
            let listeners = try await Listeners.activate(streams, at: url, site: site)
            await result.set(try await rounds(logins, of: listeners, at: site))
        }
        try await store.close()
        return await result.value?.report(goal: goal) ?? false
    }

    /// Performs logins in turns, one after the other.
    private static func rounds(_ count: Int, of listeners: Listeners, at site: Site) async throws -> Latencies {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<listeners.count { group.addTask { try await listeners.listen(number) } }
            report("\(listeners.count) streams open")
            try await listeners.waitUntilOpen()
            var latencies = Latencies()
            report("\(count) logins")
            // The first logins warm up.
            for round in 0..<(count + 50) {
                let user = round % listeners.count
                let start = ContinuousClock.now
                async let answer = site.login(Listeners.name(user))
                let times = try await listeners.times(of: user)
                let status = try await answer
                let end = ContinuousClock.now
                guard status == "accepted" else {
                    throw CocoaError(.coderInvalidValue, userInfo: ["status": status])
                }
                if round >= 50 { latencies.enter(start: start, event: times.event, approval: times.approval, end: end) }
            }
            group.cancelAll()
            return latencies
        }
    }
}

/// The result of the part that runs beside the server.
private actor Result {
    var value: Latencies?

    func set(_ value: Latencies) { self.value = value }
}

/// Shows progress beside the table.
func report(_ text: String) {
    FileHandle.standardError.write(Data("approval-latency: \(text)\n".utf8))
}
