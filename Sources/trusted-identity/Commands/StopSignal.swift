internal import CLibrary
internal import Dispatch
internal import ServiceLifecycle
internal import Synchronization

/// A service that ends at the first SIGTERM or SIGINT. A second signal ends the program immediately.
///
/// SIGHUP asks for another reading of the policy and the certificate.
///
/// A signal handler writes into a pipe, and a thread reads from it. A dispatch source, which ServiceLifecycle uses, can
/// lose a signal that arrives right after the start.
final class StopSignal: Service {
    /// The descriptor that the handler writes to. A handler may use little more than an atomic load and `write`.
    private static let pipe = Atomic<CInt>(-1)

    private let signals: AsyncStream<Void>

    /// An element for each SIGHUP; several unread ones result in one element.
    let reloads: AsyncStream<Void>

    /// Ignores SIGHUP until the service is created, because a signal to reload never ends the program.
    static func ignoreReloads() { _ = signal(SIGHUP, SIG_IGN) }

    /// Creates the service. Signals from now on are not lost.
    init() {
        let (reloads, reload) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
        self.reloads = reloads
        let (signals, signal) = AsyncStream<Void>.makeStream()
        self.signals = signals
        var ends: [CInt] = [-1, -1]
        guard unsafe CLibrary.pipe(&ends) == 0 else { return }
        let reader = ends[0]
        Self.pipe.store(ends[1], ordering: .releasing)
        DispatchQueue(label: "trusted-identity.signals").async {
            var byte: UInt8 = 0
            while true {
                // The signal itself can interrupt the call.
                while unsafe read(reader, &byte, 1) < 0, errno == EINTR {}
                guard byte == UInt8(SIGHUP) else { break }
                reload.yield()
            }
            signal.yield()
            signal.finish()
        }
        for number in [SIGTERM, SIGINT, SIGHUP] {
            var action = sigaction()
            Self.setHandler(of: &action)
            // A second signal to stop has its default effect.
            let once = number == SIGHUP ? 0 : CInt(truncatingIfNeeded: Int(SA_RESETHAND))
            action.sa_flags = once | SA_RESTART
            unsafe sigaction(number, &action, nil)
        }
    }

    func run() async throws {
        for await _ in signals.cancelOnGracefulShutdown() { return }
    }

    private static func setHandler(of action: inout sigaction) {
        let handler: @convention(c) (CInt) -> Void = { number in
            var byte = UInt8(truncatingIfNeeded: number)
            _ = unsafe write(StopSignal.pipe.load(ordering: .acquiring), &byte, 1)
        }
        #if canImport(Darwin)
            unsafe action.__sigaction_u.__sa_handler = handler
        #else
            unsafe action.__sigaction_handler.sa_handler = handler
        #endif
    }
}
