import Foundation
import Orchestration
import OrchestrationHTTP
import OrchestrationTesting
import Synchronization

/// The devices of users, each with an open stream. They approve every login at once.
final class Listeners: Sendable {
    /// When the pointer of a login arrived, and when the user approved.
    struct Times: Sendable {
        let event: ContinuousClock.Instant
        let approval: ContinuousClock.Instant
    }

    private let devices: [Orchestrator]
    private let streams: CountedStreams
    private let approvals: [(stream: AsyncStream<Times>, continuation: AsyncStream<Times>.Continuation)]

    private init(_ devices: [Orchestrator], streams: CountedStreams) {
        self.devices = devices
        self.streams = streams
        approvals = devices.map { _ in AsyncStream.makeStream() }
    }

    var count: Int { devices.count }

    static func name(_ user: Int) -> String { "user\(user)" }

    /// Registers the users and activates a device of each.
    static func activate(_ count: Int, at url: URL, site: Site) async throws -> Listeners {
        let transport = try HTTPTransport(endpoint: url)
        var devices: [Orchestrator] = []
        for user in 0..<count {
            let password = try await site.register(name(user))
            let device = try await Orchestrator(
                configuration: .testing(postQuantum: .off), transport: transport,
                providers: [ScriptedUser(password: "482915")], store: MemoryStore())
            _ = try await device.activation(for: .init(user: name(user), activationPassword: password))
            _ = try await device.registerNotifications(.init(user: name(user))).result()
            devices.append(device)
        }
        return Listeners(devices, streams: CountedStreams(base: transport))
    }

    /// Approves every login whose pointer arrives on the stream of a user.
    func listen(_ user: Int) async throws {
        let device = devices[user]
        for try await pointer in device.notifications(for: Self.name(user), over: streams) {
            let event = ContinuousClock.now
            for try await progress in device.execute(pointer) {
                switch progress {
                case .approvalRequired(let request):
                    let approval = ContinuousClock.now
                    try request.approve()
                    approvals[user].continuation.yield(Times(event: event, approval: approval))
                case .outdated, .aborted: report("an approval ends: \(progress)")
                default: break
                }
            }
        }
    }

    /// Waits until every user has a stream.
    func waitUntilOpen() async throws {
        while streams.count < count { try await Task.sleep(for: .milliseconds(20)) }
    }

    /// Returns the times of the next approval of a user.
    func times(of user: Int) async throws -> Times {
        for await times in approvals[user].stream { return times }
        throw CancellationError()
    }
}

/// A transport that counts the streams that it has opened.
private final class CountedStreams: NotificationTransport {
    private let base: HTTPTransport
    private let opened = Mutex(0)

    init(base: HTTPTransport) { self.base = base }

    var count: Int { opened.withLock { $0 } }

    func open(_ stream: NotificationStream) async throws -> any NotificationConnection {
        let connection = try await base.open(stream)
        opened.withLock { $0 += 1 }
        return connection
    }
}
