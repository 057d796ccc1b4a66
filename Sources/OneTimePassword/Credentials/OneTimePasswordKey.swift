package import Crypto
public import Primitives

/// The key of one-time passwords, prepared from a seed for one hash function.
///
/// The key contains the hash states of the seed, not the seed itself, which cannot be recovered from it. Keep the
/// `SecretBytes` of the seed if you must store it. The states result in the same codes as the seed and are as secret. A
/// key has one owner and no printable form, and it is wiped when it is no longer used.
///
/// Creating a key once and using it for many codes takes half the time of creating a key for each code.
///
/// ```swift
/// let key = try OneTimePasswordKey(secret, algorithm: .sha256)
/// let code = try TOTP(key: key, digits: 8).code(at: now)
/// ```
public struct OneTimePasswordKey: ~Copyable, Sendable {
    /// The maximum number of bytes of a seed. HMAC hashes a seed of more than 64 or 128 bytes first.
    public static let maximumByteCount = 1024

    /// The hash function of the key.
    public let algorithm: HashAlgorithm

    let prepared: PreparedKey

    /// Creates a key from a secret.
    ///
    /// RFC 4226 requires at least 16 bytes and recommends 20. Shorter seeds are accepted because services use them.
    ///
    /// - Parameters:
    ///   - secret: The seed of 1 to ``maximumByteCount`` bytes, not its Base32 form.
    ///   - algorithm: The hash function, the same as on the other side.
    /// - Throws: ``OneTimePasswordError/Code/invalidKey``.
    public init(_ secret: borrowing SecretBytes, algorithm: HashAlgorithm = .sha1) throws(OneTimePasswordError) {
        self = try secret.withBytes { bytes throws(OneTimePasswordError) in
            try OneTimePasswordKey(bytes, algorithm: algorithm)
        }
    }

    /// Creates a key from bytes. The caller is responsible for wiping them.
    ///
    /// - Parameters:
    ///   - bytes: The seed of 1 to ``maximumByteCount`` bytes, not its Base32 form.
    ///   - algorithm: The hash function, the same as on the other side.
    /// - Throws: ``OneTimePasswordError/Code/invalidKey``.
    public init(
        copying bytes: some Collection<UInt8>, algorithm: HashAlgorithm = .sha1
    ) throws(OneTimePasswordError) {
        var prepared: PreparedKey?
        let count = bytes.withContiguousStorageIfAvailable { bytes in
            if Self.byteCounts ~= bytes.count {
                prepared = unsafe PreparedKey(Span(_unsafeElements: bytes), algorithm)
            }
            return bytes.count
        }
        if count == nil {
            try self.init(SecretBytes(copying: bytes), algorithm: algorithm)
        } else if let prepared = prepared.take() {
            self.init(prepared, algorithm)
        } else {
            throw Self.invalidKey()
        }
    }

    /// Creates a key from a derived key, which is never empty.
    package init(_ key: SymmetricKey, algorithm: HashAlgorithm = .sha256) {
        self.init(PreparedKey(key, algorithm), algorithm)
    }

    /// Creates a key from the bytes of a secret.
    ///
    /// - Parameter usesInstructions: Whether the processor's instructions for the hash function are used if it has
    ///   them. Tests and benchmarks pass `false`.
    /// - Throws: ``OneTimePasswordError/Code/invalidKey``.
    package init(
        _ bytes: Span<UInt8>, algorithm: HashAlgorithm = .sha256, usesInstructions: Bool = true
    ) throws(OneTimePasswordError) {
        guard Self.byteCounts ~= bytes.count else { throw Self.invalidKey() }
        self.init(PreparedKey(bytes, algorithm, usesInstructions: usesInstructions), algorithm)
    }

    private init(_ prepared: consuming PreparedKey, _ algorithm: HashAlgorithm) {
        self.prepared = prepared
        self.algorithm = algorithm
    }

    private static var byteCounts: ClosedRange<Int> { 1...maximumByteCount }

    private static func invalidKey() -> OneTimePasswordError {
        OneTimePasswordError(.invalidKey, "a key has 1 to 1024 bytes")
    }

    /// Returns the whole HMAC of a message (RFC 2104).
    package borrowing func authenticationCode(for message: Span<UInt8>) -> [UInt8] {
        unsafe [UInt8](unsafeUninitializedCapacity: algorithm.byteCount) { output, count in
            guard let start = output.baseAddress else { return }
            unsafe message.withUnsafeBufferPointer { unsafe prepared.authenticate($0, into: start) }
            count = algorithm.byteCount
        }
    }
}
