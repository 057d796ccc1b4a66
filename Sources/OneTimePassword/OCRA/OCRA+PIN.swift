internal import Crypto
public import Primitives

extension OCRA {
    /// A PIN that is part of a code, or the hash of the PIN, which a verifier stores.
    ///
    /// Store the hash as securely as the PIN: the PIN can be found from its hash by trying all short PINs.
    public struct PIN: ~Copyable, Sendable {
        private let bytes: SecretBytes
        private let isHash: Bool

        /// Creates a PIN from the text that a user typed.
        ///
        /// - Parameter text: The PIN in UTF-8, 1 to 1,024 bytes.
        /// - Throws: ``OneTimePasswordError/Code/invalidPIN``.
        public init(_ text: consuming SecretBytes) throws(OneTimePasswordError) {
            guard 1...1024 ~= text.count else {
                throw OneTimePasswordError(.invalidPIN, "a PIN has 1 to 1024 bytes", blame: .user)
            }
            bytes = text
            isHash = false
        }

        /// Creates a PIN from its hash with the hash function of the suite.
        ///
        /// - Parameter hash: 20, 32 or 64 bytes, according to the suite.
        public init(hash: consuming SecretBytes) {
            bytes = hash
            isHash = true
        }

        borrowing func hashed(with algorithm: HashAlgorithm) throws(OneTimePasswordError) -> SecretBytes {
            if isHash {
                guard bytes.count == algorithm.byteCount else {
                    throw OneTimePasswordError(
                        .invalidPIN, "the hash of the PIN does not have the length of the suite's hash")
                }
                return bytes.copy()
            }
            // The hash is as secret as the PIN.
            var hash = bytes.withBytes { text in
                unsafe text.withUnsafeBytes { text in
                    switch algorithm {
                    case .sha1: unsafe Array(Insecure.SHA1.hash(data: text))
                    case .sha256: unsafe Array(SHA256.hash(data: text))
                    case .sha512: unsafe Array(SHA512.hash(data: text))
                    }
                }
            }
            defer { hash.wipe() }
            return SecretBytes(copying: hash)
        }
    }
}
