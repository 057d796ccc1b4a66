/// Where unpredictable bytes come from.
///
/// Everything that must be unguessable is made from the source handed in at the composition root. Outside tests that
/// is ``SystemRandomSource``; a source whose output can be predicted breaks every promise of this package.
public protocol RandomSource: Sendable {
    /// Fresh bytes.
    ///
    /// - Parameter count: how many, 0 or more.
    /// - Returns: exactly that many bytes, unpredictable and never returned before.
    func bytes(_ count: Int) -> [UInt8]
}

/// The system's cryptographically secure generator (`getrandom` on Linux, `arc4random` on Apple platforms).
public struct SystemRandomSource: RandomSource {
    /// Makes a source that reads the system's generator.
    public init() {}

    /// Bytes of the system's generator. It blocks only before the kernel's pool is first filled, and never fails.
    public func bytes(_ count: Int) -> [UInt8] {
        var generator = SystemRandomNumberGenerator()
        var bytes: [UInt8] = []
        bytes.reserveCapacity(count)
        // Eight at a time: each call of the generator is one of the system.
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
    /// Returns a fresh secret. The bytes are wiped where the source returned them.
    package func secret(_ count: Int) -> SecretBytes {
        var bytes = bytes(count)
        return SecretBytes(wiping: &bytes)
    }
}
