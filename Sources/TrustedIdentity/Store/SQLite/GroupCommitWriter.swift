/// The only writer of a database. Jobs that wait for it share one transaction, and so one sync of the disk.
///
/// A job ends after the commit that holds it, never before. A job that fails is rolled back alone, to its savepoint.
///
/// The number of jobs that wait and their time are bounded. A job over these limits fails before it runs. A job of a
/// request that has committed another one is not limited: its caller could not tell that a part of the request is
/// stored.
actor GroupCommitWriter {
    private struct Job: Sendable {
        /// The time at which the job is too old to run; nil for a job that is not limited.
        let deadline: ContinuousClock.Instant?
        /// Runs the job in a savepoint.
        let run: @Sendable (SQLiteConnection) -> FinishedJob
        /// Ends a job that did not run.
        let fail: @Sendable (any Error) -> Void
    }

    /// A job that ran and waits for the end of the transaction.
    private struct FinishedJob: Sendable {
        /// The error of the job itself.
        let error: (any Error)?
        /// Ends the job. The argument is the error that kept the transaction from being committed.
        let end: @Sendable ((any Error)?) -> Void
    }

    /// The maximum number of jobs of one transaction: it bounds how long the first one waits for the last.
    static let batchLimit = 256

    private let connection: QueuedConnection
    private let log: WriteAheadLog
    private let limits: WriterLimits
    private let batchLimit: Int
    private let now: @Sendable () -> ContinuousClock.Instant
    private var waiting: [Job] = []
    private var isDraining = false

    /// Creates a writer.
    ///
    /// - Parameters:
    ///   - connection: The writing connection.
    ///   - log: The write-ahead log of the database, to which its writing connection is attached.
    ///   - batchLimit: The maximum number of jobs of one transaction.
    ///   - now: The clock of deadlines. Another one than the system's is for tests.
    init(
        connection: QueuedConnection, log: WriteAheadLog = .init(), limits: WriterLimits = .init(),
        batchLimit: Int = GroupCommitWriter.batchLimit,
        now: @escaping @Sendable () -> ContinuousClock.Instant = { .now }
    ) {
        self.connection = connection
        self.log = log
        self.limits = limits
        self.batchLimit = batchLimit
        self.now = now
    }

    /// The number of jobs that wait for the next transaction.
    var waitingCount: Int { waiting.count }

    /// The number of waiting jobs at which jobs of further requests are refused.
    nonisolated var waitingLimit: Int { limits.waiting }

    /// Runs a job in a transaction and returns when it is on the disk.
    ///
    /// The job must neither wait nor compute for long, because all other jobs wait for it.
    ///
    /// - Throws: `StoreError` with `overloaded` for a job of a request over the limits, which did not run; the
    ///   error of the job.
    func write<R: Sendable>(_ body: @escaping @Sendable (SQLiteConnection) throws -> R) async throws -> R {
        try Task.checkCancellation()
        let progress = RequestProgress.current
        let isLimited = progress.map { !$0.hasCommitted } ?? false
        guard !isLimited || waiting.count < limits.waiting else { throw StoreError(.overloaded) }
        let deadline = isLimited ? limits.deadline.map { now() + $0 } : nil
        let result = try await enqueue(deadline, body)
        progress?.noteCommit()
        return result
    }

    /// Moves the pages of the write-ahead log into the database, between two transactions.
    func checkpoint() async throws {
        try await connection.run { [log] in try log.checkpoint($0) }
    }

    private func enqueue<R: Sendable>(
        _ deadline: ContinuousClock.Instant?, _ body: @escaping @Sendable (SQLiteConnection) throws -> R
    ) async throws -> R {
        try await withCheckedThrowingContinuation { continuation in
            waiting.append(
                Job(
                    deadline: deadline,
                    run: { database in
                        let result = Self.inSavepoint(of: database, body)
                        return FinishedJob(error: result.failure) { commitError in
                            continuation.resume(with: commitError.map { .failure($0) } ?? result)
                        }
                    },
                    fail: { continuation.resume(throwing: $0) }))
            guard !isDraining else { return }
            isDraining = true
            // A separate task: the batch holds jobs of other callers, which the cancellation of one must not end.
            Task { await drain() }
        }
    }

    private func drain() async {
        while !waiting.isEmpty {
            let batch = Array(waiting.prefix(batchLimit))
            waiting.removeFirst(batch.count)
            let now = now()
            let isLate: (Job) -> Bool = { $0.deadline.map { $0 < now } ?? false }
            for job in batch where isLate(job) { job.fail(StoreError(.overloaded)) }
            let rest = batch.filter { !isLate($0) }
            if !rest.isEmpty { await commit(rest) }
        }
        isDraining = false
    }

    private func commit(_ batch: [Job]) async {
        // Each job is ended inside: nothing is thrown.
        try? await connection.run { [log] database in
            Self.commit(batch, in: database)
            // The jobs have ended. An error does not matter to the next ones either: the pages stay in the log.
            if log.pageCount >= WriteAheadLog.limit { try? log.checkpoint(database) }
        }
    }

    /// Runs the jobs in one transaction and ends each exactly once, however the transaction ends.
    private static func commit(_ batch: [Job], in database: SQLiteConnection) {
        var finished: [FinishedJob] = []
        do {
            try database.transaction {
                for job in batch {
                    let done = job.run(database)
                    finished.append(done)
                    // After a full disk or an I/O error SQLite has rolled the whole transaction back, and the next job
                    // would be committed without it. The error of the job at fault is the error of all of them.
                    guard database.isInTransaction else {
                        throw done.error as? SQLiteFailure ?? .rolledBack
                    }
                }
            }
        } catch {
            for job in finished { job.end(error) }
            for job in batch.dropFirst(finished.count) { job.fail(error) }
            return
        }
        for job in finished { job.end(nil) }
    }

    private static func inSavepoint<R>(
        of database: SQLiteConnection, _ body: (SQLiteConnection) throws -> R
    ) -> Result<R, any Error> {
        Result {
            try execute("SAVEPOINT job", in: database)
            do {
                let value = try body(database)
                try execute("RELEASE SAVEPOINT job", in: database)
                return value
            } catch {
                // After some errors SQLite has rolled back the whole transaction, and with it the savepoint.
                guard database.isInTransaction else { throw error }
                do {
                    try execute("ROLLBACK TO SAVEPOINT job", in: database)
                    try execute("RELEASE SAVEPOINT job", in: database)
                } catch {
                    // What the job has written must not be committed with the others.
                    try? database.execute("ROLLBACK")
                }
                throw error
            }
        }
    }

    /// Runs a statement without parameters, which is parsed once.
    private static func execute(_ sql: String, in database: SQLiteConnection) throws {
        try database.statement(sql).run([])
    }
}

extension Result {
    fileprivate var failure: Failure? {
        if case .failure(let error) = self { error } else { nil }
    }
}
