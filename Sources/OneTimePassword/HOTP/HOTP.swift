internal import CHashBlocks

/// A generator and verifier of one-time passwords with a counter ([RFC 4226](https://www.rfc-editor.org/rfc/rfc4226)).
///
/// Each side stores a counter. The device increments and saves its counter before it shows a code. The verifier stores
/// the value after the counter that matched. It does so in the transaction in which it accepts the code, because no
/// code may be accepted twice.
///
/// ```swift
/// let hotp = try HOTP(key: OneTimePasswordKey(secret), digits: 6)
/// hotp.code(counter: 7).digits                          // "162583"
/// if let matched = hotp.verify(typed, from: stored) {   // stored = matched + 1
/// ```
public struct HOTP: ~Copyable, Sendable {
    /// The numbers of digits that a code can have.
    ///
    /// A tenth digit adds little strength, because the first of ten digits is 0, 1 or 2 (RFC 4226 erratum 5792).
    public static let digitRange = 6...10

    /// The number of digits of a code.
    public let digits: Int

    let key: OneTimePasswordKey

    /// Creates a generator and verifier.
    ///
    /// - Parameters:
    ///   - key: The seed and its hash function. RFC 4226 specifies SHA-1; the others are in wide use.
    ///   - digits: 6 to 10.
    /// - Throws: ``OneTimePasswordError/Code/invalidDigits``.
    public init(key: consuming OneTimePasswordKey, digits: Int = 6) throws(OneTimePasswordError) {
        guard Self.digitRange ~= digits else {
            throw OneTimePasswordError(.invalidDigits, "a code has 6 to 10 digits")
        }
        self.key = key
        self.digits = digits
    }

    /// Returns the code of a counter value.
    public borrowing func code(counter: UInt64) -> OneTimeCode {
        OneTimeCode(number: key.prepared.number(counter: counter), digits: digits)
    }

    /// Calls a closure with each counter value of a window and its code as a number, in order. The counter after the
    /// last 64-bit number is 0.
    ///
    /// A window takes less time than its individual codes, because several codes are computed at once.
    @inline(__always)
    borrowing func forEachCode(from first: UInt64, count: Int, _ body: (UInt64, UInt32) -> Void) {
        let capacity = 128
        unsafe withUnsafeTemporaryAllocation(of: UInt32.self, capacity: capacity) { codes in
            var start = 0
            while start < count {
                let part = unsafe UnsafeMutableBufferPointer(rebasing: codes[..<min(capacity, count &- start)])
                let place = first &+ UInt64(truncatingIfNeeded: start)
                unsafe key.prepared.codes(from: place, digits: digits, into: part)
                for index in 0..<part.count {
                    unsafe body(place &+ UInt64(truncatingIfNeeded: index), part[index])
                }
                start &+= part.count
            }
            // They are codes that the device has not yet shown.
            unsafe hash_blocks_wipe_numbers(codes.baseAddress, min(capacity, count))
        }
    }
}
