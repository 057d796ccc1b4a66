internal import Crypto
internal import Foundation
public import Primitives

/// The secret of a webhook: `whsec_` and the Base64 text of 24 to 64 random bytes.
public struct WebhookSecret: ~Copyable, Sendable {
    /// The maximum size of the text, in bytes.
    public static let maximumByteCount = 128

    private static let prefix = Array("whsec_".utf8)

    let key: SymmetricKey

    /// Reads a secret from its text. White space at the end is ignored.
    ///
    /// - Returns: nil for another form.
    public init?(text: borrowing SecretBytes) {
        let key = text.withBytes { span -> SymmetricKey? in
            var bytes = (0..<span.count).map { span[$0] }
            while let last = bytes.last, last == 10 || last == 13 || last == 32 { bytes.removeLast() }
            guard bytes.starts(with: Self.prefix),
                let data = Data(base64Encoded: Data(bytes.dropFirst(Self.prefix.count))), (24...64).contains(data.count)
            else { return nil }
            return SymmetricKey(data: data)
        }
        guard let key else { return nil }
        self.key = key
    }
}
