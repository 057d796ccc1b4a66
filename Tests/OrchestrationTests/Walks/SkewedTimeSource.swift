import OrchestrationTesting
import Primitives
import Synchronization

/// A device's clock: the walk's time, off by what the walk says.
final class SkewedTimeSource: TimeSource {
    private let base: ManualTimeSource
    private let offset: Mutex<Int64>

    init(_ base: ManualTimeSource, milliseconds: Int64) {
        self.base = base
        offset = Mutex(milliseconds)
    }

    /// The device's clock less the platform's.
    var milliseconds: Int64 {
        get { offset.withLock { $0 } }
        set { offset.withLock { $0 = newValue } }
    }

    func now() -> Timestamp { base.now().advanced(milliseconds: milliseconds) }

    func uptime() -> Duration { base.uptime() }

    func sleep(for duration: Duration) async throws { try await base.sleep(for: duration) }
}
