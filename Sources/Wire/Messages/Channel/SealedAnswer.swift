/// The plaintext of a sealed answer.
package struct SealedAnswer: Sendable, Hashable {
    /// A signed ``AnswerMessage``.
    package var message: Sign1

    package init(message: Sign1) {
        self.message = message
    }
}

extension SealedAnswer: FieldwiseForm {
    package init(decoding bytes: [UInt8]) throws(WireError) {
        var reader = CBORReader(bytes)
        try reader.readArray(count: 1)
        let message = try reader.readBytes()
        try reader.finish()
        self.message = try Sign1(decoding: message)
    }

    package func write(to output: inout some CBOROutput) {
        output.array(1)
        output.bytes(message.encoded)
    }
}
