/// A message that has exactly one encoding.
///
/// `init(decoding:)` refuses everything that ``encoded`` does not produce, so for all accepted `bytes`
/// `Self(decoding: bytes).encoded == bytes`.
package protocol WireForm: Sendable, Hashable {
    /// Decodes exactly one message.
    ///
    /// - Throws: ``WireError`` for bytes that are not the encoding of a message, and for bytes after it.
    init(decoding bytes: [UInt8]) throws(WireError)

    /// The encoding of the message. A received message keeps its original bytes.
    var encoded: [UInt8] { get }
}

/// A message that keeps its fields but no bytes. It is encoded when it is sent.
package protocol FieldwiseForm: WireForm, CBOREncodable {}

extension FieldwiseForm {
    package var encoded: [UInt8] { written }
}

/// A message that is sent as a separate command.
package protocol CommandForm: WireForm {}

extension CommandForm {
    package var command: OrchestrationCommand { OrchestrationCommand(encoded: encoded) }
}

extension Encrypt0: CommandForm {
    package init(decoding bytes: [UInt8]) throws(WireError) {
        try self.init(decoding: bytes, policy: .strict)
    }
}

extension Sign1: WireForm {
    package init(decoding bytes: [UInt8]) throws(WireError) {
        try self.init(decoding: bytes, policy: .strict)
    }
}
