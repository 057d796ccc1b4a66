internal import CLibrary

/// A pipe that ends a wait for input from another thread.
final class WakeUp: Sendable {
    /// Becomes readable when ``signal()`` was called.
    let descriptor: Int32

    private let sender: Int32

    init() throws(SystemFailure) {
        var ends: [Int32] = [-1, -1]
        guard unsafe pipe(&ends) == 0 else { throw SystemFailure("pipe", errno) }
        (descriptor, sender) = (ends[0], ends[1])
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    }

    deinit {
        close(descriptor)
        close(sender)
    }

    /// Ends the wait, now or when it begins. The pipe holds one byte; a second call does not block.
    func signal() {
        var byte: UInt8 = 1
        _ = unsafe write(sender, &byte, 1)
    }
}
