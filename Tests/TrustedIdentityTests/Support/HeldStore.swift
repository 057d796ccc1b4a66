import Synchronization

@testable import TrustedIdentity

/// A store that runs other work, such as another call of the platform, between two reads of a decision, or between its
/// reads and its write.
final class HeldStore: PlatformStore {
    typealias Work = @Sendable () async throws -> Void

    private let base: any PlatformStore
    private let work = Mutex<[Work]>([])
    private let readWork = Mutex<[Work?]>([])

    init(base: any PlatformStore) { self.base = base }

    /// Runs work before the next write that has none yet. The write fails with the error of the work.
    func hold(_ next: @escaping Work) { work.withLock { $0.append(next) } }

    /// Runs work before one of the next reads. The read fails with the error of the work.
    ///
    /// - Parameter count: The number of reads before it.
    func holdRead(after count: Int, _ next: @escaping Work) {
        readWork.withLock { $0 += Array(repeating: nil, count: count) + [next] }
    }

    /// Whether work waits for a write or a read.
    var isHeld: Bool { work.withLock { !$0.isEmpty } || readWork.withLock { !$0.isEmpty } }

    func read<R: Sendable>(_ body: @escaping @Sendable (any StoreReader) throws -> R) async throws -> R {
        try await readWork.withLock { $0.isEmpty ? nil : $0.removeFirst() }?()
        return try await base.read(body)
    }

    func write<R: Sendable>(_ body: @escaping @Sendable (any StoreTransaction) throws -> R) async throws -> R {
        try await work.withLock { $0.isEmpty ? nil : $0.removeFirst() }?()
        return try await base.write(body)
    }
}
