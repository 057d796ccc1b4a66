import OrchestrationTesting

@testable import TrustedIdentity

extension Harness {
    /// Appends an entry of no effect to the audit log.
    func append() async throws {
        try await platform.store.write { [now = time.now()] store in
            try store.append(AuditEntry(time: now, event: "test.nothing"))
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
        let chunks = stride(from: 0, to: file.count, by: chunk).map { Array(file[$0..<min(file.count, $0 + chunk)]) }
        let stream = AsyncStream { continuation in
            for chunk in chunks { continuation.yield(chunk) }
            continuation.finish()
        }
        return try await platform.markRestored(applying: stream)
    }
}
