internal import Crypto
public import Primitives

extension OCRA {
    /// A PIN that is part of a code, or its hash, which is what a verifier keeps.
    ///
    /// A hash of a short PIN gives the PIN away to whoever can try all of them: store it like the PIN itself.
    public struct PIN: ~Copyable, Sendable {
        private let bytes: SecretBytes
        private let isHash: Bool

        /// A PIN as the user types it.
        ///
        /// - Parameter text: the PIN in UTF-8, 1 to 1,024 bytes.
        /// - Throws: ``OneTimePasswordError/Code/invalidPIN``.
        public init(_ text: consuming SecretBytes) throws(OneTimePasswordError) {
            guard 1...1024 ~= text.count else {
                throw OneTimePasswordError(.invalidPIN, "a PIN has 1 to 1024 bytes", blame: .user)
            }
            bytes = text
            isHash = false
        }

        /// The hash of a PIN, made with the hash function that the suite names for it.
        ///
        /// - Parameter hash: 20, 32 or 64 bytes, as the suite says.
        public init(hash: consuming SecretBytes) {
            bytes = hash
            isHash = true
        }

        borrowing func hashed(with algorithm: HashAlgorithm) throws(OneTimePasswordError) -> SecretBytes {
            if isHash {
                guard bytes.count == algorithm.byteCount else {
                    throw OneTimePasswordError(
                        .invalidPIN, "the hash of the PIN has not the length of the suite's hash")
                }
                return bytes.copy()
            }
            // The hash of a PIN is as good as the PIN.
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
