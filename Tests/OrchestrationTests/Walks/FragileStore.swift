import Orchestration

/// A store of the client whose process may end at every write, before it or after it.
///
/// It throws `CancellationError`, because a flow stops after that error as it stops when its process ends.
struct FragileStore<Base: SecureStore>: SecureStore {
    let base: Base
    let chance: Chance
    let trace: WalkTrace
    let percentage: Int
    /// The percentage of writes that are reported and not made. A correct store has none.
    var losses = 0

    func names() async throws -> [StoreName] { try await base.names() }

    func read(_ name: StoreName) async throws -> [UInt8]? { try await base.read(name) }

    func update<R: Sendable>(
        _ name: StoreName, _ body: @Sendable (_ current: [UInt8]?) throws -> (StoreChange, R)
    ) async throws -> R {
        if chance.happens(percentage) {
            trace.add("client crashes before a write")
            throw CancellationError()
        }
        if losses > 0, chance.happens(losses) {
            trace.add("a write of the client is lost")
            return try await base.update(name) { (.keep, try body($0).1) }
        }
        let result = try await base.update(name, body)
        if chance.happens(percentage) {
            trace.add("client crashes after a write")
            throw CancellationError()
        }
        return result
    }
}
