internal import CLibrary
internal import Primitives

/// The reading of one secret line into memory that is wiped. It reads byte by byte, because nothing of the next line
/// may be read.
enum SecretLine {
    /// The longest password, in bytes.
    static let limit = 128

    /// Reads up to the line end, or up to the end of the input.
    ///
    /// - Parameters:
    ///   - descriptor: Where to read.
    ///   - keys: Whether the bytes come from a terminal in raw mode, where keys edit or cancel.
    ///   - limit: The longest line, in bytes.
    ///   - wakeUp: The pipe that ends the wait.
    /// - Throws: `inputUnavailable`, `invalidInput`, `CancellationError`, ``UserAuthenticationError/aborted``.
    static func read(
        from descriptor: Int32, keys: Bool, limit: Int = SecretLine.limit, wakeUp: WakeUp
    ) throws -> SecretBytes {
        var count = 0
        let line = try SecretBytes(count: limit) { line in
            var isTooLong = false
            while let byte = try next(from: descriptor, wakeUp: wakeUp, keys: keys, isEmpty: count == 0) {
                switch byte {
                case Key.newline: return try end(isTooLong)
                case Key.carriageReturn where keys: return try end(isTooLong)
                case Key.backspace where keys, Key.delete where keys: erase(&line, &count)
                case Key.killLine where keys: (count, isTooLong) = (0, false)
                default:
                    guard count < limit else {
                        // The line is not truncated silently: the rest of it is read, then it is refused.
                        isTooLong = true
                        continue
                    }
                    line[count] = byte
                    count += 1
                }
            }
            try end(isTooLong)
        }
        return line.withBytes { line in
            // Lines of files from other systems end with both.
            if !keys, count > 0, line[count - 1] == Key.carriageReturn { count -= 1 }
            return SecretBytes(copying: line.extracting(0..<count))
        }
    }

    private static func end(_ isTooLong: Bool) throws {
        if isTooLong { throw OrchestrationError(.invalidInput) }
    }

    /// Removes the last character, which may have several bytes.
    private static func erase(_ line: inout MutableSpan<UInt8>, _ count: inout Int) {
        while count > 0 {
            count -= 1
            let byte = line[count]
            line[count] = 0
            if byte & 0xC0 != 0x80 { return }
        }
    }

    /// The next byte, `nil` at the end of the input.
    static func next(
        from descriptor: Int32, wakeUp: WakeUp, keys: Bool, isEmpty: Bool
    ) throws -> UInt8? {
        while true {
            try wakeUp.wait(for: descriptor)
            var byte: UInt8 = 0
            let length = unsafe CLibrary.read(descriptor, &byte, 1)
            if length < 0, errno == EINTR || errno == EAGAIN { continue }
            guard length >= 0 else {
                throw OrchestrationError(.inputUnavailable, underlying: SystemFailure("read", errno))
            }
            // The end of input at a terminal means that it has hung up. The user cannot be asked again.
            guard length > 0 else { return try keys ? abort() : nil }
            guard keys else { return byte }
            switch byte {
            case Key.interrupt, Key.quit: try abort()
            case Key.endOfInput where isEmpty: try abort()
            case Key.endOfInput: return Key.newline
            default: return byte
            }
        }
    }

    @discardableResult private static func abort() throws -> UInt8? { throw UserAuthenticationError.aborted }

    /// The bytes of keys of a terminal.
    enum Key {
        static let interrupt: UInt8 = 0x03
        static let endOfInput: UInt8 = 0x04
        static let backspace: UInt8 = 0x08
        static let newline: UInt8 = 0x0A
        static let carriageReturn: UInt8 = 0x0D
        static let killLine: UInt8 = 0x15
        static let quit: UInt8 = 0x1C
        static let delete: UInt8 = 0x7F
    }
}
