/// System calls that are repeated after an interruption and until all bytes are processed.
///
/// Where a function reports a failure, `errno` has the reason.
package enum SystemCall {
    /// Reads once. A call that a signal interrupts is made again.
    ///
    /// - Returns: The number of bytes, 0 at the end of the file, or a negative number for a failure.
    package static func read(_ descriptor: CInt, into buffer: UnsafeMutableRawBufferPointer) -> Int {
        while true {
            let count = unsafe CLibrary.read(descriptor, buffer.baseAddress, buffer.count)
            if count >= 0 || errno != EINTR { return count }
        }
    }

    /// Reads once. A call that a signal interrupts is made again.
    ///
    /// - Returns: The number of bytes, 0 at the end of the file, or a negative number for a failure.
    package static func read(_ descriptor: CInt, into bytes: inout MutableSpan<UInt8>) -> Int {
        unsafe bytes.withUnsafeMutableBytes { unsafe read(descriptor, into: $0) }
    }

    /// Writes all bytes.
    ///
    /// - Returns: Whether all bytes were written. After a failure, a part of them may have been.
    package static func write(_ bytes: Span<UInt8>, to descriptor: CInt) -> Bool {
        var written = 0
        while written < bytes.count {
            let rest = bytes.extracting(written...)
            let count = unsafe rest.withUnsafeBytes {
                unsafe CLibrary.write(descriptor, $0.baseAddress, $0.count)
            }
            if count < 0, errno == EINTR { continue }
            // No progress is a failure: a loop over it would not end.
            guard count > 0 else { return false }
            written += count
        }
        return true
    }

    /// Returns the length of a file in bytes; nil when there is none.
    package static func length(of path: String) -> Int64? {
        var status = stat()
        guard unsafe stat(path, &status) == 0 else { return nil }
        return Int64(status.st_size)
    }

    /// Returns the system's text for a number from `errno`, in lower case.
    package static func message(of number: CInt) -> String {
        unsafe strerror(number).map { unsafe String(cString: $0).lowercased() } ?? "error \(number)"
    }
}
