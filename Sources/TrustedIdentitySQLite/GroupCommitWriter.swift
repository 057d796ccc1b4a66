internal import GRDB

/// The only writer of a database. Jobs that wait for it share one transaction, and so one sync of the disk.
///
/// A job is answered after the commit that holds it, never before. A job that fails is undone alone, by its savepoint.
actor GroupCommitWriter {
    /// Called after the end of the transaction, with what kept it from being committed.
    private typealias Completion = @Sendable ((any Error)?) -> Void

    private struct Job: Sendable {
        /// Runs the job inside its savepoint.
        let run: @Sendable (Database) -> Completion
        /// Answers a job that did not run.
        let fail: @Sendable (any Error) -> Void
    }

    /// How many jobs share a transaction at most: bounds how long the first one waits for the last.
    static let batchLimit = 256

    private let pool: DatabasePool
    private var waiting: [Job] = []
    private var isDraining = false

    init(pool: DatabasePool) {
        self.pool = pool
    }

    /// Runs a job in a transaction and returns when it is on the disk.
    ///
    /// The job must neither wait nor calculate for long: everybody stands behind it.
    func write<R: Sendable>(_ body: @escaping @Sendable (Database) throws -> R) async throws -> R {
        try Task.checkCancellation()
        return try await withCheckedThrowingContinuation { continuation in
            waiting.append(
                Job(
                    run: { database in
                        let result = Self.inSavepoint(of: database, body)
                        return { commitError in
                            continuation.resume(with: commitError.map { .failure($0) } ?? result)
                        }
                    },
                    fail: { continuation.resume(throwing: $0) }))
            guard !isDraining else { return }
            isDraining = true
            // A task of its own: the batch holds other callers' jobs, which one caller's cancellation must not end.
            Task { await drain() }
        }
    }

    private func drain() async {
        while !waiting.isEmpty {
            let batch = Array(waiting.prefix(Self.batchLimit))
            waiting.removeFirst(batch.count)
            await commit(batch)
        }
        isDraining = false
    }

    private func commit(_ batch: [Job]) async {
        do {
            try await pool.writeWithoutTransaction { database in Self.commit(batch, in: database) }
        } catch {
            // The connection could not be had at all (a closed pool): nothing ran, everybody hears of it.
            for job in batch { job.fail(error) }
        }
    }

    /// Never throws: from here on each job is answered exactly once, whatever happens.
    private static func commit(_ batch: [Job], in database: Database) {
        var completions: [Completion] = []
        do {
            try database.inTransaction(.immediate) {
                for job in batch {
                    // After a full disk SQLite has rolled everything back; the next job would commit on its own.
                    guard database.isInsideTransaction else { throw DatabaseError(resultCode: .SQLITE_ABORT) }
                    completions.append(job.run(database))
                }
                guard database.isInsideTransaction else { throw DatabaseError(resultCode: .SQLITE_ABORT) }
                return .commit
            }
        } catch {
            for complete in completions { complete(error) }
            for job in batch.dropFirst(completions.count) { job.fail(error) }
            return
        }
        for complete in completions { complete(nil) }
    }

    private static func inSavepoint<R>(of database: Database, _ body: (Database) throws -> R) -> Result<R, any Error> {
        Result {
            var value: R?
            try database.inSavepoint {
                value = try body(database)
                return .commit
            }
            guard let value else { throw DatabaseError(resultCode: .SQLITE_INTERNAL) }
            return value
        }
    }
}
