/// What the text forms have in common.
///
/// The arithmetic on characters neither branches nor looks up a table, because the characters of a seed are secret.
enum ASCII {
    /// The largest text that is decoded unless the caller says otherwise: the text of 64 KiB in hexadecimal.
    static let defaultLimit = 65_536 * 2

    /// All ones when the value lies in the range, else zero.
    @inline(__always)
    static func mask(_ value: Int, _ low: Int, _ high: Int) -> Int {
        ~((value &- low) | (high &- value)) >> (Int.bitWidth - 1)
    }

    /// The bytes of a text, once it is known not to be too long.
    static func bytes(_ text: String, limit: Int) throws(TextDecodingError) -> [UInt8] {
        let count = text.utf8.count
        guard count <= limit else { throw TextDecodingError(.tooLong, at: count) }
        return Array(text.utf8)
    }

    /// A text of so many ASCII characters.
    ///
    /// Most are written on the stack and copied from there: to allocate a string that is written in place, the standard
    /// library looks up the type of its memory each time. The stack is not wiped, because nobody wipes a `String`.
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
