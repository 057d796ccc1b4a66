/// A message that has exactly one encoding.
///
/// `init(decoding:)` refuses everything that `encoded` would not produce, so for every accepted `bytes`
/// `Self(decoding: bytes).encoded == bytes`.
package protocol WireForm: Sendable, Hashable {
    /// Decodes exactly one message; whatever is left over is refused.
    init(decoding bytes: [UInt8]) throws(WireError)

    /// The bytes of the message; for a message that was received, those that came.
    var encoded: [UInt8] { get }

    /// How many bytes the message has, without making them.
    var encodedByteCount: Int { get }

    /// Appends the bytes of the message to memory that is there. Nothing is allocated.
    ///
    /// - Throws: `tooLarge`, with nothing appended, when less than ``encodedByteCount`` bytes are free.
    func encode(into output: inout OutputSpan<UInt8>) throws(WireError)
}

extension WireForm {
    package var encodedByteCount: Int { encoded.count }

    package func encode(into output: inout OutputSpan<UInt8>) throws(WireError) {
        try EncodedBytes(bytes: encoded).append(to: &output)
    }
}

/// A message that keeps its fields and no bytes, and is written when it is sent.
package protocol FieldwiseForm: WireForm, CBOREncodable {}

extension FieldwiseForm {
    package var encoded: [UInt8] { written }

    package var encodedByteCount: Int { measured }

    package func encode(into output: inout OutputSpan<UInt8>) throws(WireError) {
        try append(to: &output)
    }
}

/// A message that travels as a command of its own.
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

/// Bytes that are an encoding already.
private struct EncodedBytes: CBOREncodable {
    let bytes: [UInt8]

    func write(to output: inout some CBOROutput) { output.encoded(bytes) }
}
