/// The hash function under the HMAC of a one-time password.
///
/// SHA-1 is what almost every authenticator app uses and what a URI without an algorithm means. HMAC does not rest on
/// the property that SHA-1 has lost, so that it is no weakness here; new deployments choose SHA-256 all the same.
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

    /// The algorithm with a name as URIs and OCRA suites write it, in any case: `SHA1`, `SHA256` or `SHA512`.
    public init?(name: some StringProtocol) {
        self.init(rawValue: name.uppercased())
    }
}
