import Orchestration

/// A client's store whose process may die at every write, just before it or just after.
///
/// The death is a `CancellationError`: that is how the death of a process looks to a flow, nothing of it goes on.
struct FragileStore: SecureStore {
    let base: MemoryStore
    let fate: Fate
    let trace: WalkTrace
    let percentage: Int

    func names() async throws -> [StoreName] { try await base.names() }

    func read(_ name: StoreName) async throws -> [UInt8]? { try await base.read(name) }

    func update<R: Sendable>(
        _ name: StoreName, _ body: @Sendable (_ current: [UInt8]?) throws -> (StoreChange, R)
    ) async throws -> R {
        if fate.happens(percentage) {
            trace.add("client dies before a write")
            throw CancellationError()
        }
        let result = try await base.update(name, body)
        if fate.happens(percentage) {
            trace.add("client dies after a write")
            throw CancellationError()
        }
        return result
    }
}
