package import Primitives

/// The plaintext of a sealed request: what the device has signed, and a proof beside the signature.
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

/// A proof that the sender has the secret of an instance, over the signed message that it comes with.
///
/// The proof is beside the signature and never inside it: a signed message that is kept cannot be used to test a
/// password.
package struct InstanceProof: Sendable, Hashable {
    package var instance: Instance

    /// The code of the authentication method.
    package var method: UInt8

    /// The generation of the instance's secret.
    package var generation: UInt64

    /// HMAC-SHA-256 over the bytes of the signed message.
    package var tag: [UInt8]

    package init(instance: Instance, method: UInt8, generation: UInt64, tag: [UInt8]) {
        self.instance = instance
        self.method = method
        self.generation = generation
        self.tag = tag
    }

    init(from reader: inout CBORReader) throws(WireError) {
        try reader.readArray(count: 4)
        instance = try reader.readInstance()
        method = UInt8(try reader.readNumber(in: 0...255))
        generation = try reader.readNumber()
        tag = try reader.readBytes(count: FieldSize.hash)
    }

    func write(to output: inout some CBOROutput) {
        output.array(4)
        output.unsigned(UInt64(instance.rawValue))
        output.unsigned(UInt64(method))
        output.unsigned(generation)
        output.bytes(tag)
    }
}

/// The plaintext of a sealed answer: what the platform has signed, and key statements beside the signatures.
///
/// The statements come first in the order of verification: a device that knows an earlier signing key only gets from
/// them the key that has signed the message. Each statement is signed by itself.
package struct SealedAnswer: Sendable, Hashable {
    /// The signatures over an ``AnswerMessage``.
    package var message: SignatureList

    /// The signatures over each ``KeyStatement`` that the device lacks, in ascending order, at most eight. A sender
    /// adds as many as ``count(fitting:)`` says.
    package var statements: [SignatureList]

    package init(message: SignatureList, statements: [SignatureList] = []) {
        self.message = message
        self.statements = statements
    }
}

extension SealedAnswer {
    /// Returns how many of a row of statements one answer holds, from the first one on: at most eight, and no more than
    /// 40,960 bytes of them unless it is only one.
    package static func count(fitting statements: some Sequence<SignatureList>) -> Int {
        var (count, bytes) = (0, 0)
        for statement in statements.prefix(FieldLimit.statements) {
            bytes += statement.encoded.count
            guard count == 0 || bytes <= FieldLimit.statementBytes else { break }
            count += 1
        }
        return count
    }
}

extension SealedAnswer: FieldwiseForm {
    package init(decoding bytes: [UInt8]) throws(WireError) {
        var reader = CBORReader(bytes)
        try reader.readArray(count: 2)
        message = try SignatureList(from: &reader)
        let count = try reader.readArray(maximum: FieldLimit.statements)
        statements = []
        for _ in 0..<count { statements.append(try SignatureList(from: &reader)) }
        try reader.finish()
    }

    package func write(to output: inout some CBOROutput) {
        output.array(2)
        message.write(to: &output)
        output.array(statements.count)
        for statement in statements { statement.write(to: &output) }
    }
}
