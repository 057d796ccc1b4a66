public import Primitives

/// A checkpoint that the platform has signed automatically and keeps.
public struct KeptAuditCheckpoint: Sendable, Hashable {
    /// The time of the signature by the platform's clock. The time is not signed.
    public let createdAt: Timestamp
    /// The checkpoint.
    public let checkpoint: AuditCheckpoint
}

extension Platform {
    /// The number of checkpoints that one read returns.
    private static let checkpointPage = 500

    /// Returns the checkpoints that the platform keeps, the latest first. ``Maintenance`` makes them at the interval
    /// ``PlatformConfiguration/auditCheckpointInterval``, when the log has grown.
    ///
    /// Copy them to a place that the operator of the database cannot change. One whose note was changed outside of
    /// the platform is left out; ``verifyAudit(against:)`` names it. The time is not signed.
    ///
    /// - Parameters:
    ///   - size: Only checkpoints of fewer entries; `nil` for the latest.
    ///   - limit: The maximum number of checkpoints, 1 to 1,000.
    /// - Throws: ``PlatformError`` with `malformedRequest` for another limit, `storeFailed`.
    public func auditCheckpoints(before size: Int64? = nil, limit: Int = 100) async throws -> [KeptAuditCheckpoint] {
        guard (1...1_000).contains(limit) else { throw PlatformError(.malformedRequest) }
        return try await read { try $0.auditCheckpoints(before: size, limit: limit) }.compactMap { record in
            kept(record).map { KeptAuditCheckpoint(createdAt: record.createdAt, checkpoint: $0) }
        }
    }

    /// Keeps the checkpoint over the tree when the interval is over and the log has grown.
    ///
    /// A tree that was changed outside of the platform is logged, and gets no checkpoint.
    func keepCheckpoint(now: Timestamp) async throws {
        guard let tree = try await read({ try $0.auditTree() }) else { return }
        if let latest = try await latestCheckpoint(through: tree.size) {
            let age = now.milliseconds(since: latest.createdAt)
            // A row of a later time was made by another program, or with a clock that was ahead.
            guard tree.size > latest.size, age < 0 || age >= configuration.auditCheckpointInterval.wholeMilliseconds
            else { return }
        }
        let record = AuditCheckpointRecord(size: tree.size, createdAt: now, note: tree.note)
        guard kept(record) != nil else { return store.check.reportRow(of: "audit_tree") }
        let isInserted = try await writeAsPlatform { try $0.insert(record) }
        guard !isInserted else { return }
        // Another process of the platform may have kept the same checkpoint. Any other row of this size was made by
        // another program.
        let row = try await read { try $0.auditCheckpoints(before: tree.size &+ 1, limit: 1).first }
        if row.flatMap(kept) == nil { store.check.reportRow(of: "audit_checkpoint") }
    }

    /// Returns the latest checkpoint that the platform keeps of a log with at most this number of entries.
    ///
    /// A row that another program has changed or made is logged and ignored: it does not end the checkpoints.
    private func latestCheckpoint(through size: Int64) async throws -> AuditCheckpointRecord? {
        let end = size == .max ? nil : size + 1
        let rows = try await read { store in
            try store.auditCheckpoints(before: nil, limit: 1).filter { $0.size > size }
                + store.auditCheckpoints(before: end, limit: Self.checkpointPage)
        }
        for record in rows {
            if record.size <= size, kept(record) != nil { return record }
            store.check.reportRow(of: "audit_checkpoint")
        }
        return nil
    }

    /// Returns all checkpoints that the platform keeps, and the sizes of the checkpoints whose rows were changed
    /// outside of the platform.
    func keptCheckpoints() async throws -> (checkpoints: [AuditCheckpoint], changed: [Int64]) {
        var (checkpoints, changed, before) = ([AuditCheckpoint](), [Int64](), Int64?.none)
        while true {
            try Task.checkCancellation()
            let page = try await read { [before] in
                try $0.auditCheckpoints(before: before, limit: Self.checkpointPage)
            }
            for record in page {
                if let checkpoint = kept(record) { checkpoints.append(checkpoint) } else { changed.append(record.size) }
            }
            guard page.count == Self.checkpointPage, let last = page.last else {
                return (checkpoints.reversed(), changed.reversed())
            }
            before = last.size
        }
    }

    private func kept(_ record: AuditCheckpointRecord) -> AuditCheckpoint? {
        let checkpoint = try? checkpoint(of: record.note)
        return checkpoint.flatMap { $0.size == record.size ? $0 : nil }
    }
}
