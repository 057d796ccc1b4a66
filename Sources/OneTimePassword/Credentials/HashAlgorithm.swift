/// The hash function in the HMAC of a one-time password.
///
/// Almost all authenticator apps use SHA-1, and it is the default in a URI. The known collisions of SHA-1 do not weaken
/// HMAC. New deployments should still use SHA-256.
public enum HashAlgorithm: String, Sendable, Hashable, CaseIterable {
    /// SHA-1: 20 bytes.
    case sha1 = "SHA1"
    /// SHA-256: 32 bytes.
    case sha256 = "SHA256"
    /// SHA-512: 64 bytes.
    case sha512 = "SHA512"

    /// The number of bytes of a hash.
    public var byteCount: Int {
        switch self {
        case .sha1: 20
        case .sha256: 32
        case .sha512: 64
        }
    }

    /// Creates an algorithm from its name in URIs and OCRA suites, in any case: `SHA1`, `SHA256` or `SHA512`.
    public init?(name: some StringProtocol) {
        self.init(rawValue: name.uppercased())
    }
}
