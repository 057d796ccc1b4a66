#if PostgreSQL
    internal import CLibrary
    internal import Dispatch
    internal import Logging
    internal import Synchronization
    internal import TrustedIdentity

    /// The other processes that share a database. One more connection listens for their notifications and holds the
    /// event delivery lock.
    ///
    /// PostgreSQL may lose what was sent while the connection was cut. So the connection is confirmed before `isListening`
    /// is true, and after each interruption all waiters are woken.
    final class Peers: DatabasePeers {
        static let channel = "trusted_identity"
        /// The maximum time of one wait for notifications, after which the locks are tried.
        private static let wait: Int32 = 500
        /// The maximum number of topics that wait for the reader. Beyond it, some topics are lost, and the reader gets
        /// a nil.
        private static let buffer = 10_000
        /// The maximum number of topics in one statement.
        private static let batch = 256

        private struct State {
            var isListening = false
            var isClosed = false
            var isEnded = false
            /// Whether the failure to listen was logged.
            var isReported = false
            var wantsDelivery = false
            var hasDelivery = false
            var sent: [String] = []
            var isSending = false
            var hasLost = false
            var onEnd: [CheckedContinuation<Void, Never>] = []
        }

        let isFirst: Bool
        let topics: AsyncStream<String?>
        private let continuation: AsyncStream<String?>.Continuation
        private let state = Mutex(State())
        private let open: @Sendable () throws -> PostgreSQLConnection
        private let pool: ConnectionPool
        private let logger: Logger
        private let queue = DispatchQueue(label: "TrustedIdentity.PostgreSQL.peers")

        /// Creates the connection, which is opened by ``run()``.
        ///
        /// - Parameters:
        ///   - isFirst: Whether no other process had the database open.
        ///   - pool: The connections that send.
        ///   - open: Opens a connection.
        init(
            isFirst: Bool, pool: ConnectionPool, logger: Logger,
            open: @escaping @Sendable () throws -> PostgreSQLConnection
        ) {
            self.isFirst = isFirst
            self.pool = pool
            self.open = open
            self.logger = logger
            (topics, continuation) = AsyncStream.makeStream(bufferingPolicy: .bufferingOldest(Self.buffer))
        }

        var isListening: Bool { state.withLock { $0.isListening } }

        func send(_ topic: String) {
            let begins = state.withLock { state -> Bool in
                // When a topic is lost, waiters in other processes ask again within a second.
                guard state.sent.count < Self.buffer, !state.isClosed else { return false }
                state.sent.append(topic)
                defer { state.isSending = true }
                return !state.isSending
            }
            // The limits of the request that sends first must not apply to the others.
            if begins { RequestProgress.$current.withValue(nil) { _ = Task { await drain() } } }
        }

        func claimEventDelivery() -> Bool {
            state.withLock { state in
                state.wantsDelivery = true
                return state.hasDelivery
            }
        }

        /// Listens until ``close()``, on a serial queue.
        func run() {
            queue.async { [self] in
                while !state.withLock({ $0.isClosed }) {
                    do {
                        try listen()
                    } catch {
                        let (wasListening, wasReported) = state.withLock { state in
                            defer { (state.isListening, state.hasDelivery, state.isReported) = (false, false, true) }
                            return (state.isListening, state.isReported)
                        }
                        // Otherwise, a wait that has begun would continue.
                        if wasListening { yield(nil) }
                        if !wasReported {
                            logger.warning(
                                "notifications of other processes do not arrive: waiters ask once a second",
                                metadata: ["store.reason": "\(error)"])
                        }
                        // This thread may sleep, because it has no other work.
                        usleep(UInt32(Self.wait) * 1_000)
                    }
                }
                continuation.finish()
                let waiting = state.withLock { state in
                    state.isEnded = true
                    defer { state.onEnd = [] }
                    return state.onEnd
                }
                for caller in waiting { caller.resume() }
            }
        }

        /// Ends the connection, and the locks with it.
        func close() async {
            await withCheckedContinuation { continuation in
                let isEnded = state.withLock { state in
                    state.isClosed = true
                    if !state.isEnded { state.onEnd.append(continuation) }
                    return state.isEnded
                }
                if isEnded { continuation.resume() }
            }
        }

        private func listen() throws {
            let connection = try open()
            try connection.execute("LISTEN \(Self.channel)")
            let wasReported = state.withLock { state in
                defer { (state.isListening, state.isReported) = (true, false) }
                return state.isReported
            }
            if wasReported { logger.notice("notifications of other processes arrive again") }
            // Notifications that were sent while nothing listened are lost.
            yield(nil)
            while true {
                let (isClosed, wantsDelivery) = state.withLock { ($0.isClosed, $0.wantsDelivery && !$0.hasDelivery) }
                if isClosed { return }
                if wantsDelivery {
                    let keys = SessionLock.keys(.eventDelivery)
                    let isTaken = try connection.execute("SELECT pg_try_advisory_lock(\(keys))").first?.first == "t"
                    state.withLock { $0.hasDelivery = isTaken }
                }
                for payload in try connection.notifications(within: Self.wait) { yield(payload) }
                // An idle connection that was cut is found by its next statement.
                try connection.execute("SELECT")
            }
        }

        private func yield(_ topic: String?) {
            if state.withLock({ $0.hasLost }), case .enqueued = continuation.yield(nil) {
                state.withLock { $0.hasLost = false }
            }
            if case .dropped = continuation.yield(topic) { state.withLock { $0.hasLost = true } }
        }

        /// Sends the waiting topics, several in one statement, until none are left.
        private func drain() async {
            while true {
                let topics = state.withLock { state -> [String] in
                    let topics = Set(state.sent.prefix(Self.batch))
                    state.sent.removeFirst(min(Self.batch, state.sent.count))
                    if topics.isEmpty { state.isSending = false }
                    return topics.sorted()
                }
                guard !topics.isEmpty else { return }
                try? await pool.run { lease in
                    let connection = try lease.connection()
                    do throws(PostgreSQLFailure) {
                        try connection.execute(Self.statement(topics))
                    } catch {
                        if error.endsConnection { lease.discard() } else { _ = try? connection.execute("ROLLBACK") }
                    }
                }
            }
        }

        /// Returns the statement that sends topics. Its commit does not wait for the disk, because no decision depends
        /// on it.
        private static func statement(_ topics: [String]) -> String {
            let names = topics.filter { $0.allSatisfy { $0.isASCII && ($0.isNumber || $0.isLowercase) } }
            return "BEGIN; SET LOCAL synchronous_commit = off; "
                + names.map { "NOTIFY \(channel), '\($0)'; " }.joined() + "COMMIT"
        }
    }
#endif
