/// The common parts of the text encodings.
///
/// The arithmetic has no branch and no table lookup that depends on a character, because the characters of a seed are
/// secret.
enum ASCII {
    /// The default limit for decoding a text: the number of hexadecimal digits of 64 KiB.
    static let defaultLimit = 65_536 * 2

    /// Returns all ones when a value is in a range, and otherwise zero.
    @inline(__always)
    static func mask(_ value: Int, _ low: Int, _ high: Int) -> Int {
        ~((value &- low) | (high &- value)) >> (Int.bitWidth - 1)
    }

    /// Returns the bytes of a text that is within the limit.
    static func bytes(_ text: String, limit: Int) throws(TextDecodingError) -> [UInt8] {
        let count = text.utf8.count
        guard count <= limit else { throw TextDecodingError(.tooLong, at: count) }
        return Array(text.utf8)
    }

    /// Returns a text with the ASCII characters that a closure writes.
    ///
    /// A short text is written on the stack and copied: the standard library takes longer to allocate a string that is
    /// written in place. The stack is not wiped, because the `String` cannot be wiped either.
    @inline(__always)
    static func text(count: Int, _ write: (inout OutputSpan<UInt8>) -> Void) -> String {
        let stackByteCount = 1_024
        guard count <= stackByteCount else {
            return unsafe String(unsafeUninitializedCapacity: count) { unsafe fill($0, write) }
        }
        return unsafe withUnsafeTemporaryAllocation(of: UInt8.self, capacity: stackByteCount) { buffer in
            unsafe String(decoding: buffer[..<fill(buffer, write)], as: UTF8.self)
        }
    }

    @inline(__always)
    private static func fill(
        _ buffer: UnsafeMutableBufferPointer<UInt8>, _ write: (inout OutputSpan<UInt8>) -> Void
    ) -> Int {
        var output = unsafe OutputSpan(buffer: buffer, initializedCount: 0)
        write(&output)
        return unsafe output.finalize(for: buffer)
    }
}
