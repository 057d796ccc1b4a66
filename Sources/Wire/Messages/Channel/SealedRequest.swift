/// The plaintext of a sealed request: what the device has signed, and a proof that is outside the signature.
package struct SealedRequest: Sendable, Hashable {
    /// A signed ``RequestMessage``.
    package var message: Sign1

    package var proof: InstanceProof?

    package init(message: Sign1, proof: InstanceProof? = nil) {
        self.message = message
        self.proof = proof
    }
}

extension SealedRequest: FieldwiseForm {
    package init(decoding bytes: [UInt8]) throws(WireError) {
        var reader = CBORReader(bytes)
        try reader.readArray(count: 2)
        let message = try reader.readBytes()
        proof = try reader.readIfNull() ? nil : InstanceProof(from: &reader)
        try reader.finish()
        self.message = try Sign1(decoding: message)
    }

    package func write(to output: inout some CBOROutput) {
        output.array(2)
        output.bytes(message.encoded)
        if let proof { proof.write(to: &output) } else { output.null() }
    }
}
