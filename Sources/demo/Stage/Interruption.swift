import Foundation
import Synchronization

/// The signals that interrupt the demo.
enum Interruption {
    /// The descriptor that the handler writes to. A handler may use little more than an atomic load and `write`.
    private static let pipe = Atomic<CInt>(-1)

    /// Calls a closure after the first SIGINT or SIGTERM. A second signal has its usual effect.
    static func handle(_ body: @escaping @Sendable () -> Void) {
        var ends: [CInt] = [-1, -1]
        guard unsafe Foundation.pipe(&ends) == 0 else { return }
        let reader = ends[0]
        pipe.store(ends[1], ordering: .releasing)
        Thread.detachNewThread {
            var byte: UInt8 = 0
            // The signal itself can interrupt the call.
            while unsafe read(reader, &byte, 1) < 0, errno == EINTR {}
            body()
        }
        let handler: @convention(c) (CInt) -> Void = { number in
            var byte: UInt8 = 0
            _ = unsafe write(Interruption.pipe.load(ordering: .acquiring), &byte, 1)
            _ = signal(number, SIG_DFL)
        }
        for number in [SIGINT, SIGTERM] { _ = signal(number, handler) }
    }
}
