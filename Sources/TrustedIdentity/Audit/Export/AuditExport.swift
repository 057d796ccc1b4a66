internal import Crypto
internal import Primitives

#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

extension Platform {
    /// Exports the audit log as JSON lines. The last line contains an HMAC under a platform key, which detects a file
    /// that is cut off, changed or from another platform. ``markRestored(applying:)`` reads the file.
    ///
    /// The call appends the entry ``AuditEvent/auditExported`` to the log. The export ends with this entry. Export the
    /// log regularly, and keep the latest export apart from the database: after a restore it shows what was revoked.
    ///
    /// - Parameter first: The sequence number of the first entry, 1 or more; `nil` for the first one that was not
    ///   pruned. An export that starts at the end of the previous one is enough to restore a backup that was made in
    ///   between.
    /// - Returns: The export. Its bytes are read from the store while they are iterated.
    /// - Throws: ``PlatformError`` with `malformedRequest` when there is no such entry, `prunedEntry` when it was
    ///   pruned, `storeFailed`.
    public func exportAudit(from first: Int64? = nil) async throws -> AuditExport {
        let now = time.now()
        let range = try await write { store in
            try store.excludeMaintenance()
            try store.append(AuditEntry(time: now, event: .auditExported))
            // The export ends with this entry, which therefore needs its number now.
            _ = try store.numberArrivals(limit: .max)
            let pruned = try store.currentState().prunedAudit?.size ?? 0
            let first = first ?? pruned + 1
            guard first < 1 || first > pruned else { throw PlatformError(.prunedEntry) }
            guard first >= 1, let start = try store.auditEntries(from: first, limit: 1).first?.sequence,
                let last = try store.auditEntries(of: nil, before: nil, limit: 1).first?.sequence
            else { throw PlatformError(.malformedRequest) }
            return start...last
        }
        return AuditExport(platform: self, range: range)
    }
}

/// The bytes of an exported audit log, in chunks of up to 500 lines.
///
/// The log is not held in memory: each chunk is one read of the store. Each iteration reads all of them again. Its
/// bytes are the same, except for the names of accounts that were removed meanwhile. An export for pruning contains no
/// names.
public struct AuditExport: AsyncSequence, Sendable {
    /// A chunk of whole lines.
    public typealias Element = [UInt8]

    /// The further fields of the last line in an export for pruning.
    struct Pruning: Sendable {
        /// The checkpoint at the last entry, as a signed note.
        let checkpoint: String
        /// The subtrees before the first entry, the smallest first.
        let peaks: [[UInt8]]
    }

    private let platform: Platform
    private let pruning: Pruning?
    /// The sequence numbers of the entries.
    public let range: ClosedRange<Int64>

    init(platform: Platform, range: ClosedRange<Int64>, pruning: Pruning? = nil) {
        self.platform = platform
        self.range = range
        self.pruning = pruning
    }

    /// Creates an iterator at the first entry.
    public func makeAsyncIterator() -> Iterator { Iterator(platform: platform, range: range, pruning: pruning) }

    /// An iterator over the chunks.
    public struct Iterator: AsyncIteratorProtocol {
        private static let page = 500

        private let platform: Platform
        private let range: ClosedRange<Int64>
        private let pruning: Pruning?
        private let keyID: String
        /// The first entry of the next chunk; `nil` after the last line.
        private var start: Int64?
        private var rows: Int64 = 0
        private var code: HMAC<SHA256>

        init(platform: Platform, range: ClosedRange<Int64>, pruning: Pruning?) {
            self.platform = platform
            self.range = range
            self.pruning = pruning
            start = range.lowerBound
            keyID = platform.dataKeys.id
            code = HMAC<SHA256>(key: platform.dataKeys.auditExport)
        }

        /// Returns the next chunk; `nil` after the last line.
        ///
        /// - Throws: ``PlatformError`` with `storeFailed`, `prunedEntry` when the entries were pruned meanwhile;
        ///   `CancellationError`.
        public mutating func next() async throws -> [UInt8]? {
            guard let first = start else { return nil }
            var entries = try await platform.read { [range] store in
                guard first > (try store.currentState().prunedAudit?.size ?? 0) else {
                    throw PlatformError(.prunedEntry)
                }
                return try store.auditEntries(from: first, limit: Self.page).filter { range.contains($0.sequence) }
            }
            // No signature covers a name, and an erasure does not reach a file of pruned entries.
            if pruning != nil { for index in entries.indices { entries[index].account = nil } }
            var chunk = try entries.flatMap { try AuditFile.line($0) }
            rows += Int64(entries.count)
            if let last = entries.last?.sequence, last < range.upperBound {
                start = last + 1
                code.update(data: chunk)
                return chunk
            }
            start = nil
            chunk += try AuditFile.lastLine(
                AuditFile.Summary(
                    checkpoint: pruning?.checkpoint, first: range.lowerBound, last: range.upperBound,
                    peaks: pruning?.peaks.map { Data($0).base64EncodedString() }, platform: keyID,
                    rows: rows, tenant: platform.configuration.tenant, version: AuditFile.version))
            code.update(data: chunk)
            return chunk + Hex.encode(Array(code.finalize())).utf8 + AuditFile.end
        }
    }
}
