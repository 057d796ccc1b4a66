/// A message that has exactly one encoding.
///
/// `init(decoding:)` refuses everything that `encoded` would not produce, so for every accepted `bytes`
/// `Self(decoding: bytes).encoded == bytes`.
package protocol WireForm: Sendable, Hashable {
    /// Decodes exactly one message; whatever is left over is refused.
    init(decoding bytes: [UInt8]) throws(WireError)

    /// The bytes of the message; for a message that was received, those that came.
    var encoded: [UInt8] { get }
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
