package import Primitives

/// A secret in the body of a message.
///
/// All copies of a message refer to one secret. It has no printable form and is wiped with the last copy. Secrets are
/// compared in constant time.
package struct MessageSecret: Sendable, Redacted {
    private let bytes: SecretBox<SecretBytes>

    package init(_ bytes: consuming SecretBytes) { self.bytes = SecretBox(bytes) }

    /// The number of bytes.
    package var count: Int { bytes.count }

    /// Calls a closure with the bytes.
    ///
    /// - Parameter body: Receives a view that is valid only during the call.
    package func withBytes<R: ~Copyable, E: Error>(_ body: (Span<UInt8>) throws(E) -> R) throws(E) -> R {
        try bytes.withBytes(body)
    }
}

extension MessageSecret: Hashable {
    package static func == (a: MessageSecret, b: MessageSecret) -> Bool {
        a.withBytes { first in b.withBytes { ConstantTime.equal(first, $0) } }
    }

    /// Hashes the number of bytes: a hash of the secret would be a second form of it.
    package func hash(into hasher: inout Hasher) { hasher.combine(count) }
}

extension CBORReader {
    /// Reads a byte string of exactly this length that is secret.
    package mutating func readSecret(count: Int) throws(WireError) -> MessageSecret {
        var copy = try readBytes(count: count)
        return MessageSecret(SecretBytes(wiping: &copy))
    }
}

extension CBOROutput {
    /// Writes a secret as a byte string.
    mutating func secret(_ value: MessageSecret) { value.withBytes { bytes($0) } }
}
