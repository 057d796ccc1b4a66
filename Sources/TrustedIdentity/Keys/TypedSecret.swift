internal import Primitives

/// A text that is secret: copyable where it travels with a request, wiped with its last copy, and without a printable
/// form.
final class TypedSecret: Sendable, CustomReflectable {
    private let bytes: SecretBytes

    init(_ text: String) { bytes = SecretBytes(copying: text.utf8) }

    init(_ bytes: consuming SecretBytes) { self.bytes = bytes }

    /// The number of bytes of UTF-8.
    var count: Int { bytes.count }

    /// Reads the bytes.
    func withBytes<R>(_ body: (Span<UInt8>) throws -> R) rethrows -> R { try bytes.withBytes(body) }

    /// The text, for who has to show it once.
    var text: String { bytes.withBytes { span in String(decoding: span.indices.map { span[$0] }, as: UTF8.self) } }

    /// Nothing: a debugger or `dump` has no business here.
    var customMirror: Mirror { Mirror(self, children: []) }
}
