internal import CHashBlocks

/// One-time passwords by counter ([RFC 4226](https://www.rfc-editor.org/rfc/rfc4226)).
///
/// Each side keeps a counter. The device raises and saves its own before it shows a code; the verifier moves to the
/// counter after the one that matched, in one step with accepting the code, so that no code is accepted twice.
///
/// ```swift
/// let hotp = try HOTP(key: OneTimePasswordKey(secret), digits: 6)
/// hotp.code(counter: 7).digits                          // "162583"
/// if let matched = hotp.verify(typed, from: stored) {   // stored = matched + 1
/// ```
public struct HOTP: ~Copyable, Sendable {
    /// The numbers of digits that a code can have.
    ///
    /// Nine is the most that adds strength: the first of ten digits is 0, 1 or 2 (RFC 4226 erratum 5792).
    public static let digitRange = 6...10

    /// The number of digits of a code.
    public let digits: Int

    let key: OneTimePasswordKey

    /// Makes a generator and verifier.
    ///
    /// - Parameters:
    ///   - key: the seed and its hash function. RFC 4226 knows SHA-1 only; the others are in wide use.
    ///   - digits: 6 to 10.
    /// - Throws: ``OneTimePasswordError/Code/invalidDigits``.
    public init(key: consuming OneTimePasswordKey, digits: Int = 6) throws(OneTimePasswordError) {
        guard Self.digitRange ~= digits else {
            throw OneTimePasswordError(.invalidDigits, "a code has 6 to 10 digits")
        }
        self.key = key
        self.digits = digits
    }

    /// The code of a counter value.
    public borrowing func code(counter: UInt64) -> OneTimeCode {
        OneTimeCode(number: key.prepared.number(counter: counter), digits: digits)
    }

    /// Hands out the codes of a window of counter values as numbers, in their order. The counter after the last is 0.
    ///
    /// A window is cheaper than its codes one by one, because they are computed side by side.
    @inline(__always)
    borrowing func forEachCode(from first: UInt64, count: Int, _ body: (UInt64, UInt32) -> Void) {
        let room = 128
        unsafe withUnsafeTemporaryAllocation(of: UInt32.self, capacity: room) { codes in
            var start = 0
            while start < count {
                let part = unsafe UnsafeMutableBufferPointer(rebasing: codes[..<min(room, count &- start)])
                let place = first &+ UInt64(truncatingIfNeeded: start)
                unsafe key.prepared.codes(from: place, digits: digits, into: part)
                for index in 0..<part.count {
                    unsafe body(place &+ UInt64(truncatingIfNeeded: index), part[index])
                }
                start &+= part.count
            }
            // Codes that are still to come.
            unsafe hash_blocks_wipe_numbers(codes.baseAddress, min(room, count))
        }
    }
}
