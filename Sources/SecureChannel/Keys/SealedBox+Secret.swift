package import Crypto
package import Primitives

#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

extension AES.GCM.SealedBox {
    /// Opens a box whose content is secret, into memory that is wiped. What swift-crypto returns is not, so it is wiped
    /// here.
    ///
    /// - Throws: what swift-crypto throws when the box is not authentic.
    package func openSecret(
        using key: SymmetricKey, authenticating associatedData: [UInt8] = []
    ) throws -> SecretBytes {
        var plaintext = try AES.GCM.open(self, using: key, authenticating: associatedData)
        defer { plaintext.resetBytes(in: plaintext.startIndex..<plaintext.endIndex) }
        return plaintext.withSpan { SecretBytes(copying: $0) }
    }
}
