internal import GRDB
internal import TrustedIdentity

/// A transaction of the writer, which the jobs of one batch share.
final class WriterTransaction {
    let database: Database
    let auditEnd = AuditEnd()

    init(database: Database) { self.database = database }
}

/// The end of the audit log within one transaction of the writer.
///
/// No other program can change the log in this time, so that each row which a seal depends on is read once. Nothing is
/// kept for the next transaction: a change between two of them is found.
final class AuditEnd {
    /// The number of the last entry; nil before it was read.
    private var last: Int64?
    /// The seals of entries that were read or appended.
    private var seals: [Int64: AuditSeal?] = [:]

    /// Returns the entries that the subtree of the next entry depends on, the latest first; nil when the last entry is
    /// not known.
    ///
    /// - Parameter read: Reads the seal of an entry.
    func edge(reading read: (Int64) throws -> AuditSeal?) rethrows -> [AuditPeak]? {
        guard let last else { return nil }
        var peaks: [AuditPeak] = []
        // Each 1 at the end of the number is a subtree that the next entry completes to a larger one.
        var (sequence, size) = (last, Int64(1))
        repeat {
            let seal = try seals[sequence] ?? read(sequence)
            seals[sequence] = seal
            peaks.append(AuditPeak(sequence: sequence, seal: seal))
            guard sequence & size != 0 else { break }
            sequence -= size
            size <<= 1
        } while sequence & size != 0
        return peaks
    }

    /// Notes the entries that were read, the latest first.
    func note(_ peaks: [AuditPeak]) {
        // An empty log, and numbers that the platform does not give, are read each time.
        guard let first = peaks.first, first.sequence > 0 else { return clear() }
        last = first.sequence
        for peak in peaks { seals[peak.sequence] = peak.seal }
    }

    /// Notes an entry that was appended.
    func append(_ sequence: Int64, seal: AuditSeal) {
        guard let last, sequence == last &+ 1 else { return clear() }
        self.last = sequence
        seals[sequence] = seal
    }

    /// Removes everything, after a statement that may have changed the log otherwise.
    func clear() {
        last = nil
        seals = [:]
    }
}
