import Synchronization
import TrustedIdentity

/// A database as one of several processes sees it that share it. Each platform of a test gets its own over one base.
final class SharedDatabase: SQLDatabase {
    let base: SQLiteDatabase
    let fake: FakePeers
    private let state = Mutex((health: StoreHealth(), noted: [[UInt8]]()))

    init(_ base: SQLiteDatabase, peers: FakePeers = FakePeers()) {
        self.base = base
        fake = peers
    }

    var peers: (any DatabasePeers)? { fake }

    /// The ids of audit entries that transactions noted.
    var noted: [[UInt8]] { state.withLock { $0.noted } }

    /// Reports this from now on.
    func report(_ health: StoreHealth) { state.withLock { $0.health = health } }

    func read<R: Sendable>(_ body: @escaping @Sendable (any SQLSession) throws -> R) async throws -> R {
        try await base.read(body)
    }

    func write<R: Sendable>(_ body: @escaping @Sendable (any SQLSession) throws -> R) async throws -> R {
        try await base.write { session in
            try body(NotingSession(base: session) { id in self.state.withLock { $0.noted.append(id) } })
        }
    }

    func health() async throws -> StoreHealth { state.withLock { $0.health } }
}

private struct NotingSession: SQLSession {
    let base: any SQLSession
    let noting: ([UInt8]) -> Void

    func note(entry id: [UInt8]) { noting(id) }

    func run(_ sql: String, _ values: [SQLValue], _ read: (any SQLRow) throws -> Void) throws -> Int {
        try base.run(sql, values, read)
    }
}

/// The other processes of one platform, whose messages a test sends.
final class FakePeers: DatabasePeers {
    private struct State {
        var isFirst = false
        var isListening = true
        var hasClaim = true
        var claims = 0
        var sent: [String] = []
        var receiver: FakePeers?
    }

    let topics: AsyncStream<String?>
    private let messages: AsyncStream<String?>.Continuation
    private let state = Mutex(State())

    init() { (topics, messages) = AsyncStream.makeStream(of: String?.self) }

    var isFirst: Bool { state.withLock { $0.isFirst } }
    var isListening: Bool { state.withLock { $0.isListening } }
    /// The topics that the platform has sent.
    var sent: [String] { state.withLock { $0.sent } }
    /// The number of times that the platform has asked for a work.
    var claims: Int { state.withLock { $0.claims } }

    func send(_ topic: String) {
        let receiver = state.withLock { state in
            state.sent.append(topic)
            return state.receiver
        }
        receiver?.deliver(topic)
    }

    func claimEventDelivery() -> Bool {
        state.withLock { state in
            state.claims += 1
            return state.hasClaim
        }
    }

    /// Delivers a message to the platform; nil reports that some may have been lost.
    func deliver(_ message: String?) { messages.yield(message) }

    /// Sends messages to the platform of other peers from now on.
    func connect(to receiver: FakePeers) { state.withLock { $0.receiver = receiver } }

    func set(isFirst: Bool) { state.withLock { $0.isFirst = isFirst } }

    func set(isListening: Bool) { state.withLock { $0.isListening = isListening } }

    func set(hasClaim: Bool) { state.withLock { $0.hasClaim = hasClaim } }
}
