package import Crypto
public import Primitives

/// The seed of a one-time password, ready to compute with one hash function.
///
/// It has one owner and no printable form, and nothing gives the seed back: keep the `SecretBytes` it was made from
/// where it has to be stored. The memory is wiped when the owner lets go of it.
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

    // Once per key and not once per code: the place where the two prepared hash states of HMAC will stand.
    private let key: SymmetricKey

    /// Makes a key from a secret.
    ///
    /// RFC 4226 asks for at least 16 bytes and recommends 20; shorter ones are accepted because services use them.
    ///
    /// - Parameters:
    ///   - secret: 1 to ``maximumByteCount`` bytes. The bytes themselves, not their Base32 form.
    ///   - algorithm: the hash function. It has to be the one of the other side.
    /// - Throws: ``OneTimePasswordError/Code/invalidKey``.
    public init(_ secret: borrowing SecretBytes, algorithm: HashAlgorithm = .sha1) throws(OneTimePasswordError) {
        guard 1...Self.maximumByteCount ~= secret.count else {
            throw OneTimePasswordError(.invalidKey, "a key has 1 to 1024 bytes")
        }
        self.init(secret.withBytes { SymmetricKey($0) }, algorithm: algorithm)
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
        try self.init(SecretBytes(copying: bytes), algorithm: algorithm)
    }

    /// Makes a key from a derived one, which is never empty.
    package init(_ key: SymmetricKey, algorithm: HashAlgorithm = .sha256) {
        self.key = key
        self.algorithm = algorithm
    }

    /// Makes a key from a view of a secret. An empty one gives an error.
    package init(_ bytes: Span<UInt8>, algorithm: HashAlgorithm = .sha256) throws(OneTimePasswordError) {
        try self.init(SecretBytes(copying: bytes), algorithm: algorithm)
    }

    /// The HMAC of a message (RFC 2104), in full.
    package borrowing func authenticationCode(for message: Span<UInt8>) -> [UInt8] {
        unsafe message.withUnsafeBytes { bytes in
            switch algorithm {
            case .sha1: unsafe Array(HMAC<Insecure.SHA1>.authenticationCode(for: bytes, using: key))
            case .sha256: unsafe Array(HMAC<SHA256>.authenticationCode(for: bytes, using: key))
            case .sha512: unsafe Array(HMAC<SHA512>.authenticationCode(for: bytes, using: key))
            }
        }
    }

    /// The HMAC of a counter as eight bytes, the most significant first (RFC 4226 section 5.1).
    borrowing func authenticationCode(for counter: UInt64) -> [UInt8] {
        authenticationCode(for: counter.bigEndianBytes.span)
    }
}

extension SymmetricKey {
    /// A key of the bytes of a secret, without a copy in between.
    init(_ bytes: Span<UInt8>) {
        self = unsafe bytes.withUnsafeBytes { unsafe SymmetricKey(data: $0) }
    }
}

extension UInt64 {
    /// The eight bytes, the most significant first.
    var bigEndianBytes: [UInt8] {
        (0..<8).map { UInt8(truncatingIfNeeded: self >> (56 - 8 * $0)) }
    }
}
