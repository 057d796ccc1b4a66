internal import CLibrary
internal import Dispatch
internal import ServiceLifecycle
internal import Synchronization

/// A service that ends at the first SIGTERM or SIGINT. A second signal ends the program at once.
///
/// A signal handler writes into a pipe, and a thread reads from it. A dispatch source, which ServiceLifecycle uses, can
/// lose a signal that comes right after the start.
final class StopSignal: Service {
    /// The descriptor that the handler writes to. A handler may use little more than an atomic load and `write`.
    private static let pipe = Atomic<CInt>(-1)

    private let signals: AsyncStream<Void>

    /// Creates the service. Signals from now on are not lost.
    init() {
        let (signals, signal) = AsyncStream<Void>.makeStream()
        self.signals = signals
        var ends: [CInt] = [-1, -1]
        guard unsafe CLibrary.pipe(&ends) == 0 else { return }
        let reader = ends[0]
        Self.pipe.store(ends[1], ordering: .releasing)
        DispatchQueue(label: "trusted-identity.signals").async {
            var byte: UInt8 = 0
            // The signal itself can interrupt the call.
            while unsafe read(reader, &byte, 1) < 0, errno == EINTR {}
            signal.yield()
            signal.finish()
        }
        for number in [SIGTERM, SIGINT] {
            var action = sigaction()
            Self.setHandler(of: &action)
            action.sa_flags = CInt(truncatingIfNeeded: Int(SA_RESETHAND)) | SA_RESTART
            unsafe sigaction(number, &action, nil)
        }
    }

    func run() async throws {
        for await _ in signals.cancelOnGracefulShutdown() { return }
    }

    private static func setHandler(of action: inout sigaction) {
        let handler: @convention(c) (CInt) -> Void = { _ in
            var byte: UInt8 = 1
            _ = unsafe write(StopSignal.pipe.load(ordering: .acquiring), &byte, 1)
        }
        #if canImport(Darwin)
            unsafe action.__sigaction_u.__sa_handler = handler
        #else
            unsafe action.__sigaction_handler.sa_handler = handler
        #endif
    }
}
