import OrchestrationTesting

@testable import TrustedIdentity

/// A transaction that runs between a read and the write that rests on it.
typealias Interruption = @Sendable (StoreTransaction) throws -> Void

extension FaultInjectingDatabase {
    /// Runs a transaction before the next write.
    func interrupt(_ next: @escaping Interruption) {
        let base = base
        beforeNextWrite { try await base.write(next) }
    }
}
