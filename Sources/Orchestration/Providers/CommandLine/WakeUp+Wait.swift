internal import CLibrary

extension WakeUp {
    /// Waits until there is input, or its end, on a descriptor.
    ///
    /// - Throws: `CancellationError` when ``signal()`` was called, `inputUnavailable` when the descriptor is not open.
    func wait(for input: Int32) throws {
        // poll(2) passes over negative numbers, and would wait for ever.
        guard input >= 0, fcntl(input, F_GETFD) >= 0 else {
            throw OrchestrationError(.inputUnavailable, underlying: SystemFailure("fcntl", EBADF))
        }
        var isSignalled = false
        while try !waitOnce(for: input, &isSignalled) {}
        if isSignalled { throw CancellationError() }
    }

    #if canImport(Darwin)
        /// poll(2) of Apple systems does not know `/dev/tty`; select(2) does.
        ///
        /// - Returns: `false` when a signal came instead.
        private func waitOnce(for input: Int32, _ isSignalled: inout Bool) throws -> Bool {
            let highest = max(input, descriptor)
            guard Int(highest) < MemoryLayout<fd_set>.size * 8 else {
                throw OrchestrationError(.inputUnavailable, underlying: SystemFailure("select", EINVAL))
            }
            var set = fd_set()
            unsafe withUnsafeMutableBytes(of: &set) { bits in
                for number in [Int(input), Int(descriptor)] { unsafe bits[number / 8] |= 1 << UInt8(number % 8) }
            }
            guard unsafe select(highest + 1, &set, nil, nil, nil) >= 0 else {
                if errno == EINTR { return false }
                throw OrchestrationError(.inputUnavailable, underlying: SystemFailure("select", errno))
            }
            let number = Int(descriptor)
            isSignalled = unsafe withUnsafeBytes(of: &set) { bits in
                unsafe bits[number / 8] & 1 << UInt8(number % 8) != 0
            }
            return true
        }
    #else
        /// - Returns: `false` when a signal came instead.
        private func waitOnce(for input: Int32, _ isSignalled: inout Bool) throws -> Bool {
            var waits = [
                pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0),
                pollfd(fd: input, events: Int16(POLLIN), revents: 0),
            ]
            guard unsafe poll(&waits, nfds_t(waits.count), -1) >= 0 else {
                if errno == EINTR { return false }
                throw OrchestrationError(.inputUnavailable, underlying: SystemFailure("poll", errno))
            }
            isSignalled = waits[0].revents != 0
            return true
        }
    #endif
}
