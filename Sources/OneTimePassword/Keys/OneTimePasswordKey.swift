package import Crypto
public import Primitives

/// The seed of a one-time password, ready to compute with one hash function.
///
/// The seed itself is hashed once, when the key is made, and not kept: nothing gives it back, so keep the `SecretBytes`
/// it was made from where it has to be stored. What is kept makes codes as the seed does. It has one owner and no
/// printable form, and it is wiped when the owner lets go of it.
///
/// A key that is made once and used for many codes is twice as fast as one that is made for each.
///
/// ```swift
/// let key = try OneTimePasswordKey(secret, algorithm: .sha256)
/// let code = try TOTP(key: key, digits: 8).code(at: now)
/// ```
public struct OneTimePasswordKey: ~Copyable, Sendable {
    /// The largest number of bytes of a key. HMAC has no use for more than 128.
    public static let maximumByteCount = 1024

    /// The hash function that the key is for.
    public let algorithm: HashAlgorithm

    let prepared: PreparedKey

    /// Makes a key from a secret.
    ///
    /// RFC 4226 asks for at least 16 bytes and recommends 20; shorter ones are accepted because services use them.
    ///
    /// - Parameters:
    ///   - secret: 1 to ``maximumByteCount`` bytes. The bytes themselves, not their Base32 form.
    ///   - algorithm: the hash function. It has to be the one of the other side.
    /// - Throws: ``OneTimePasswordError/Code/invalidKey``.
    public init(_ secret: borrowing SecretBytes, algorithm: HashAlgorithm = .sha1) throws(OneTimePasswordError) {
        self = try secret.withBytes { bytes throws(OneTimePasswordError) in
            try OneTimePasswordKey(bytes, algorithm: algorithm)
        }
    }

    /// Makes a key from bytes. The original is the caller's to wipe.
    ///
    /// - Parameters:
    ///   - bytes: 1 to ``maximumByteCount`` bytes. The bytes themselves, not their Base32 form.
    ///   - algorithm: the hash function. It has to be the one of the other side.
    /// - Throws: ``OneTimePasswordError/Code/invalidKey``.
    public init(
        copying bytes: some Collection<UInt8>, algorithm: HashAlgorithm = .sha1
    ) throws(OneTimePasswordError) {
        var prepared: PreparedKey?
        let count = bytes.withContiguousStorageIfAvailable { bytes in
            if Self.byteCounts ~= bytes.count {
                prepared = unsafe PreparedKey(Span(_unsafeElements: bytes), algorithm, .available)
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

    /// Makes a key from a derived one, which is never empty.
    package init(_ key: SymmetricKey, algorithm: HashAlgorithm = .sha256) {
        self.init(PreparedKey(key, algorithm), algorithm)
    }

    /// Makes a key from a view of a secret. An empty one gives an error.
    ///
    /// - Parameter paths: the code that computes the hashes, as far as the processor has it.
    package init(
        _ bytes: Span<UInt8>, algorithm: HashAlgorithm = .sha256, paths: HashPaths = .available
    ) throws(OneTimePasswordError) {
        guard Self.byteCounts ~= bytes.count else { throw Self.invalidKey() }
        self.init(PreparedKey(bytes, algorithm, paths), algorithm)
    }

    private init(_ prepared: consuming PreparedKey, _ algorithm: HashAlgorithm) {
        self.prepared = prepared
        self.algorithm = algorithm
    }

    private static var byteCounts: ClosedRange<Int> { 1...maximumByteCount }

    private static func invalidKey() -> OneTimePasswordError {
        OneTimePasswordError(.invalidKey, "a key has 1 to 1024 bytes")
    }

    /// The HMAC of a message (RFC 2104), in full.
    package borrowing func authenticationCode(for message: Span<UInt8>) -> [UInt8] {
        unsafe [UInt8](unsafeUninitializedCapacity: algorithm.byteCount) { output, count in
            guard let start = output.baseAddress else { return }
            unsafe message.withUnsafeBufferPointer { unsafe prepared.authenticate($0, into: start) }
            count = algorithm.byteCount
        }
    }
}
