import OrchestrationTesting
import Primitives

@testable import TrustedIdentity

extension Harness {
    /// Appends an entry of no effect to the audit log.
    func append() async throws {
        try await platform.store.write { [now = time.now()] store in
            try store.append(AuditEntry(time: now, event: "test.nothing"))
        }
    }

    /// Exports the entries before a time in order to prune them.
    func exportAudit(before time: Timestamp) async throws -> [UInt8] {
        var bytes: [UInt8] = []
        for try await chunk in try await platform.exportAudit(before: time) { bytes += chunk }
        return bytes
    }

    /// Reads a file of pruned entries.
    func prunedFile(_ bytes: [UInt8], sizes: Set<Int64> = [], chunk: Int = 1_000) async throws -> PrunedAuditFile {
        try await PrunedAuditFile(
            reading: Self.stream(bytes, chunk: chunk), verifierKeys: platform.auditVerifierKeys, sizes: sizes)
    }

    /// Prunes the entries before a time.
    ///
    /// - Returns: The file.
    @discardableResult
    func pruneAudit(before time: Timestamp) async throws -> [UInt8] {
        let file = try await exportAudit(before: time)
        try await platform.pruneAudit(try await prunedFile(file).part, before: time)
        while try await platform.removePrunedRows() != nil {}
        return file
    }

    /// Returns the numbers of the rows of the audit log.
    func auditNumbers() async throws -> [Int64] {
        try await platform.read { try $0.auditRows(from: .min, limit: 10_000).map(\.sequence) }
    }

    private static func stream(_ file: [UInt8], chunk: Int) -> AsyncStream<[UInt8]> {
        AsyncStream { continuation in
            for start in stride(from: 0, to: file.count, by: chunk) {
                continuation.yield(Array(file[start..<min(file.count, start + chunk)]))
            }
            continuation.finish()
        }
    }

    /// Returns an exported audit log.
    func exportAudit(from first: Int64 = 1) async throws -> [UInt8] {
        var bytes: [UInt8] = []
        for try await chunk in try await platform.exportAudit(from: first) { bytes += chunk }
        return bytes
    }

    /// Applies an exported audit log, in chunks that end within lines.
    func restore(applying file: [UInt8], chunk: Int = 1_000) async throws -> RestoreReport {
        try await platform.markRestored(applying: Self.stream(file, chunk: chunk))
    }
}
