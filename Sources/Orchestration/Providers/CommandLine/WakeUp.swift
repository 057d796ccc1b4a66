internal import CLibrary
internal import Dispatch

/// A pipe that ends a wait for input from another thread.
package final class WakeUp: Sendable {
    /// The descriptor that becomes readable when ``signal()`` was called.
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

extension WakeUp {
    /// Waits until there is input, or its end, on a descriptor.
    ///
    /// - Throws: `CancellationError` when ``signal()`` was called, `inputUnavailable` when the descriptor is not open.
    package func wait(for input: Int32) throws {
        // poll(2) ignores negative numbers, and would wait forever.
        guard input >= 0, fcntl(input, F_GETFD) >= 0 else {
            throw OrchestrationError(.inputUnavailable, underlying: SystemFailure("fcntl", EBADF))
        }
        var isSignaled = false
        while try !waitOnce(for: input, &isSignaled) {}
        if isSignaled { throw CancellationError() }
    }

    #if !canImport(Darwin)
        /// - Returns: `false` when a signal came instead.
        func waitOnce(for input: Int32, _ isSignaled: inout Bool) throws -> Bool {
            var waits = [
                pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0),
                pollfd(fd: input, events: Int16(POLLIN), revents: 0),
            ]
            guard unsafe poll(&waits, nfds_t(waits.count), -1) >= 0 else {
                if errno == EINTR { return false }
                throw OrchestrationError(.inputUnavailable, underlying: SystemFailure("poll", errno))
            }
            isSignaled = waits[0].revents != 0
            return true
        }
    #endif
}

/// Runs a blocking read on a separate thread, which keeps the threads of the tasks free, and ends it when the task is
/// canceled.
package enum BlockingRead {
    package static func run<Input: Sendable>(
        _ read: @escaping @Sendable (WakeUp) throws -> Input
    ) async throws -> Input {
        try Task.checkCancellation()
        let wakeUp: WakeUp
        do { wakeUp = try WakeUp() } catch { throw OrchestrationError(.inputUnavailable, underlying: error) }
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                DispatchQueue.global().async {
                    continuation.resume(with: Result { try read(wakeUp) })
                }
            }
        } onCancel: {
            wakeUp.signal()
        }
    }
}
