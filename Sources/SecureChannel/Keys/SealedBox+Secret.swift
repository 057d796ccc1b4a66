package import Crypto
package import Primitives

extension AES.GCM.SealedBox {
    /// Opens a box whose content is secret, into memory that is wiped.
    ///
    /// - Throws: what swift-crypto throws when the box is not authentic.
    package func openSecret(
        using key: SymmetricKey, authenticating associatedData: [UInt8] = []
    ) throws -> SecretBytes {
        SecretBytes(wiping: try AES.GCM.open(self, using: key, authenticating: associatedData))
    }
}
