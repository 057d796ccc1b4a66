#if PostgreSQL
    internal import Dispatch
    internal import Logging
    internal import Synchronization
    internal import TrustedIdentity

    /// The connections of a process, each with a serial queue, and the work that waits for one of them.
    ///
    /// A connection is opened when it is needed, and opened again after a failure. After a failed attempt to connect,
    /// the pool makes no other attempt for half a second. Meanwhile, work waits for the connections that are open or
    /// were open when they were last used, and fails at once if there is none. The log states the reason for the first
    /// failure, and the recovery.
    final class ConnectionPool: Sendable {
        /// The time after a failed attempt to connect in which the pool makes no other attempt.
        private static let pause = Duration.milliseconds(500)

        private struct Job: Sendable {
            /// The time at which the job is too old to run; nil for a job that is not limited.
            let deadline: ContinuousClock.Instant?
            let run: @Sendable (Slot) -> Void
            /// Ends a job that did not run.
            let fail: @Sendable (any Error) -> Void
        }

        /// A place for a connection. Only its current job uses it, until the job has ended.
        final class Slot: @unchecked Sendable {  // SAFETY: used by one job, or idle under the lock
            fileprivate let queue = DispatchQueue(label: "TrustedIdentity.PostgreSQL")
            fileprivate var connection: PostgreSQLConnection?
        }

        private struct State {
            /// The slots without work. The last one was in use most recently.
            var idle: [Slot] = []
            var count = 0
            /// The number of slots with an open connection.
            var open = 0
            var waiting: [Job] = []
            var isClosed = false
            /// The calls of `close()` that wait.
            var onClosed: [CheckedContinuation<Void, Never>] = []
            /// Whether a connection was opened. Until then, the caller of the initializer reports what fails.
            var hasConnected = false
            /// The last attempt to connect, if it failed.
            var failure: (time: ContinuousClock.Instant, error: any Error)?

            /// Whether no attempt to connect is made at present.
            var isPausing: Bool { failure.map { ContinuousClock.now - $0.time < pause } ?? false }
        }

        private let open: @Sendable () throws -> PostgreSQLConnection
        private let size: Int
        private let limits: WriterLimits
        private let logger: Logger
        private let state = Mutex(State())

        /// Creates a pool.
        ///
        /// - Parameters:
        ///   - size: The maximum number of connections.
        ///   - limits: The limits of the requests that wait for one.
        ///   - open: A closure that opens and prepares one. Its errors may be logged.
        init(
            size: Int, limits: WriterLimits, logger: Logger, open: @escaping @Sendable () throws -> PostgreSQLConnection
        ) {
            self.size = size
            self.limits = limits
            self.logger = logger
            self.open = open
        }

        /// The number of jobs that wait for a connection.
        var waitingCount: Int { state.withLock { $0.waiting.count } }

        /// The number of waiting jobs at which jobs of further requests are refused.
        var waitingLimit: Int { limits.waiting }

        /// Runs a closure with a connection on the queue of the connection.
        ///
        /// - Parameters:
        ///   - begin: The time from which the wait of a request is limited.
        ///   - body: The closure.
        /// - Throws: `StoreError` with `overloaded` for a job of a request over the limits, which did not run; the
        ///   error of the closure, or of the connection.
        func run<R: Sendable>(
            since begin: ContinuousClock.Instant = .now, _ body: @escaping @Sendable (Lease) throws -> R
        ) async throws -> R {
            try Task.checkCancellation()
            let isLimited = RequestProgress.current.map { !$0.hasCommitted } ?? false
            let deadline = isLimited ? limits.deadline.map { begin + $0 } : nil
            return try await withCheckedThrowingContinuation { continuation in
                let job = Job(
                    deadline: deadline,
                    run: { slot in
                        let lease = Lease(slot: slot, pool: self)
                        let result = Result { try body(lease) }
                        // The caller continues when the slot has its next job.
                        self.finish(slot)
                        continuation.resume(with: result)
                    }, fail: { continuation.resume(throwing: $0) })
                add(job, isLimited: isLimited)
            }
        }

        /// Closes the connections after the jobs that wait. Later jobs fail.
        func close() async {
            await withCheckedContinuation { continuation in
                let (idle, isUnused) = state.withLock { state in
                    state.isClosed = true
                    state.count -= state.idle.count
                    state.open -= state.idle.count { $0.connection != nil }
                    if state.count > 0 { state.onClosed.append(continuation) }
                    defer { state.idle = [] }
                    return (state.idle, state.count == 0)
                }
                // Their connections end here, outside of the lock.
                withExtendedLifetime(idle) {}
                if isUnused { continuation.resume() }
            }
        }

        private func add(_ job: Job, isLimited: Bool) {
            enum Place {
                case slot(Slot), queue, refused(any Error)
            }
            let place = state.withLock { state -> Place in
                guard !state.isClosed else { return .refused(StoreError(.other)) }
                if let slot = state.idle.popLast() { return .slot(slot) }
                // While the server gives no more connections, work waits for the open ones, within the limits.
                if state.count < size, state.open == 0 || !state.isPausing {
                    state.count += 1
                    return .slot(Slot())
                }
                guard !isLimited || state.waiting.count < limits.waiting else {
                    return .refused(StoreError(.overloaded))
                }
                state.waiting.append(job)
                return .queue
            }
            switch place {
            case .slot(let slot): start(job, on: slot)
            case .queue: break
            case .refused(let error): job.fail(error)
            }
        }

        /// Starts a job on a slot. A slot that cannot connect passes its job to the connected slots.
        private func start(_ job: Job, on slot: Slot) {
            slot.queue.async { [self] in
                let others = slot.connection == nil ? state.withLock { $0.open } : 0
                if others > 0, (try? Lease(slot: slot, pool: self).connection()) == nil, pass(job) { return }
                job.run(slot)
            }
        }

        /// Passes the job of a slot that cannot connect to another one, and removes the slot.
        ///
        /// - Returns: Whether another slot is connected.
        private func pass(_ job: Job) -> Bool {
            let (isPassed, idle) = state.withLock { state -> (Bool, Slot?) in
                guard state.open > 0 else { return (false, nil) }
                state.count -= 1
                guard let index = state.idle.lastIndex(where: { $0.connection != nil }) else {
                    state.waiting.insert(job, at: 0)
                    return (true, nil)
                }
                return (true, state.idle.remove(at: index))
            }
            if let idle { start(job, on: idle) }
            return isPassed
        }

        /// Gives a slot its next job.
        private func finish(_ slot: Slot) {
            let now = ContinuousClock.now
            var late: [Job] = []
            let (next, callers) = state.withLock { state -> (Job?, [CheckedContinuation<Void, Never>]) in
                while !state.waiting.isEmpty {
                    let job = state.waiting.removeFirst()
                    guard let deadline = job.deadline, deadline < now else { return (job, []) }
                    late.append(job)
                }
                guard state.isClosed else {
                    state.idle.append(slot)
                    return (nil, [])
                }
                state.count -= 1
                guard state.count == 0 else { return (nil, []) }
                defer { state.onClosed = [] }
                return (nil, state.onClosed)
            }
            for job in late { job.fail(StoreError(.overloaded)) }
            if let next { start(next, on: slot) }
            for caller in callers { caller.resume() }
        }

        /// The right to use a connection, during one job.
        struct Lease {
            fileprivate let slot: Slot
            fileprivate let pool: ConnectionPool

            /// Returns the connection, and opens one if there is none.
            func connection() throws -> PostgreSQLConnection {
                if let connection = slot.connection { return connection }
                if let failure = pool.state.withLock({ $0.isPausing ? $0.failure : nil }) { throw failure.error }
                do {
                    let connection = try pool.open()
                    slot.connection = connection
                    let wasAway = pool.state.withLock { state in
                        defer { (state.failure, state.hasConnected) = (nil, true) }
                        state.open += 1
                        return state.hasConnected && state.failure != nil
                    }
                    if wasAway { pool.logger.notice("connections to the database can be opened again") }
                    return connection
                } catch {
                    let isFirst = pool.state.withLock { state in
                        defer { state.failure = (.now, error) }
                        return state.hasConnected && state.failure == nil
                    }
                    if isFirst {
                        pool.logger.error(
                            "a connection to the database cannot be opened", metadata: ["store.reason": "\(error)"])
                    }
                    throw error
                }
            }

            /// Closes the connection. The next job opens another one.
            func discard() {
                guard slot.connection != nil else { return }
                slot.connection = nil
                // This job may last. Others must not wait for a slot without a connection.
                let next = pool.state.withLock { state -> Job? in
                    state.open -= 1
                    guard state.open == 0, state.count < pool.size, !state.waiting.isEmpty else { return nil }
                    state.count += 1
                    return state.waiting.removeFirst()
                }
                if let next { pool.start(next, on: Slot()) }
            }

            /// Whether a connection is open. It may have been cut.
            var isOpen: Bool { slot.connection != nil }
        }
    }
#endif
