/// A source of unpredictable bytes.
///
/// All keys, nonces and activation passwords are made from the source in the configuration. Use ``SystemRandomSource``
/// outside tests: with a predictable source, nothing in this package is secure.
public protocol RandomSource: Sendable {
    /// Returns fresh bytes.
    ///
    /// - Parameter count: The number of bytes, 0 or more.
    /// - Returns: Exactly this number of bytes, which cannot be predicted and are independent of other calls.
    func bytes(_ count: Int) -> [UInt8]
}

/// The system's cryptographically secure generator (`getrandom` on Linux, `arc4random` on Apple platforms).
public struct SystemRandomSource: RandomSource {
    /// Creates a source that reads the system's generator.
    public init() {}

    /// Returns bytes from the system's generator. The call never fails, and blocks only early in the start of a
    /// machine, until the kernel has collected enough entropy.
    public func bytes(_ count: Int) -> [UInt8] {
        var generator = SystemRandomNumberGenerator()
        var bytes: [UInt8] = []
        bytes.reserveCapacity(count)
        // Eight at a time, because each generator call is a system call.
        while bytes.count < count {
            let word = generator.next() as UInt64
            for shift in 0..<min(8, count - bytes.count) {
                bytes.append(UInt8(truncatingIfNeeded: word >> (8 * shift)))
            }
        }
        return bytes
    }
}

extension RandomSource {
    /// Returns a fresh secret. The bytes that the source returned are wiped.
    package func secret(_ count: Int) -> SecretBytes {
        var bytes = bytes(count)
        return SecretBytes(wiping: &bytes)
    }
}
