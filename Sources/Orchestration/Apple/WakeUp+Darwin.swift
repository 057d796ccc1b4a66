#if canImport(Darwin)
    internal import CLibrary

    extension WakeUp {
        /// On Apple systems, poll(2) does not support `/dev/tty`; select(2) does.
        ///
        /// - Returns: `false` when a signal came instead.
        func waitOnce(for input: Int32, _ isSignaled: inout Bool) throws -> Bool {
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
            isSignaled = unsafe withUnsafeBytes(of: &set) { bits in
                unsafe bits[number / 8] & 1 << UInt8(number % 8) != 0
            }
            return true
        }
    }
#endif
