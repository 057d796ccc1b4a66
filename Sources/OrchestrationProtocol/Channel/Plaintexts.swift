package import Crypto
package import Primitives

/// The plaintext of a sealed request: the message that the device signed, its part of the key ratchet, and a proof.
package struct SealedRequest: Sendable, Hashable {
    /// A signed ``RequestMessage``.
    package var message: Sign1

    package var ratchet: RatchetPart

    package var proof: InstanceProof?

    package init(message: Sign1, ratchet: RatchetPart, proof: InstanceProof? = nil) {
        self.message = message
        self.ratchet = ratchet
        self.proof = proof
    }
}

extension SealedRequest: FieldwiseForm {
    package init(decoding bytes: [UInt8]) throws(WireError) {
        var reader = CBORReader(bytes)
        try reader.readArray(count: 3)
        let message = try reader.readBytes()
        ratchet = try RatchetPart(from: &reader)
        proof = try reader.readIfNull() ? nil : InstanceProof(from: &reader)
        try reader.finish()
        self.message = try Sign1(decoding: message)
    }

    package func write(to output: inout some CBOROutput) {
        output.array(3)
        output.bytes(message.encoded)
        ratchet.write(to: &output)
        if let proof { proof.write(to: &output) } else { output.null() }
    }
}

/// The key ratchet state at which a request was made, and the device's input for the next one.
package struct RatchetPart: Sendable, Hashable {
    /// HMAC-SHA-256 over ``input`` and the bytes of the signed message, under a key of the state.
    package var tag: [UInt8]

    /// a, the device's input for the next state; `nil` when the device requests no new state.
    package var input: MessageSecret?

    /// D, which a platform adopts after a restore; `nil` in all other requests.
    package var state: MessageSecret?

    package init(tag: [UInt8], input: MessageSecret? = nil, state: MessageSecret? = nil) {
        self.tag = tag
        self.input = input
        self.state = state
    }

    /// Creates the part of a request.
    ///
    /// - Parameters:
    ///   - message: The encoded `COSE_Sign1` of the request.
    ///   - state: D at the index of the request.
    ///   - input: a, 32 bytes; `nil` for none.
    ///   - brings: Whether the platform may adopt the state.
    package init(
        of message: [UInt8], state: SymmetricKey, input: SymmetricKey?, brings: Bool = false, device: DeviceAddress
    ) {
        self.init(
            tag: KeyRatchet.tag(of: message, input: input, state: state, device: device),
            input: input.map { MessageSecret($0.secretBytes) },
            state: brings ? MessageSecret(state.secretBytes) : nil)
    }

    /// Returns whether the tag was made with a state of the ratchet. The comparison takes constant time.
    package func matches(_ state: SymmetricKey, message: [UInt8], device: DeviceAddress) -> Bool {
        ConstantTime.equal(KeyRatchet.tag(of: message, input: input?.key, state: state, device: device), tag)
    }

    init(from reader: inout CBORReader) throws(WireError) {
        try reader.readArray(count: 3)
        tag = try reader.readBytes(count: FieldSize.hash)
        input = try reader.readIfNull() ? nil : reader.readSecret(count: FieldSize.random)
        state = try reader.readIfNull() ? nil : reader.readSecret(count: FieldSize.hash)
    }

    func write(to output: inout some CBOROutput) {
        output.array(3)
        output.bytes(tag)
        if let input { output.secret(input) } else { output.null() }
        if let state { output.secret(state) } else { output.null() }
    }
}

/// A proof that the sender has an instance's secret, over the signed message that it accompanies.
///
/// The proof is next to the signature, never inside it: a stored signed message cannot be used to test a password.
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

/// The plaintext of a sealed answer: the message that the platform signed, key statements, and the platform's input for
/// the key ratchet.
///
/// The statements are verified first: a device that knows only a previous signing key gets from them the key that
/// signed the message. Each statement is signed separately.
package struct SealedAnswer: Sendable, Hashable {
    /// The signatures over an ``AnswerMessage``.
    package var message: SignatureList

    /// The signatures over each ``KeyStatement`` that the device lacks, in ascending order, at most eight. A sender
    /// adds as many as ``count(fitting:)`` returns.
    package var statements: [SignatureList]

    /// b, the platform's input for the next state of the key ratchet; `nil` when the device stays at its index.
    package var ratchetInput: MessageSecret?

    package init(
        message: SignatureList, statements: [SignatureList] = [], ratchetInput: MessageSecret? = nil
    ) {
        self.message = message
        self.statements = statements
        self.ratchetInput = ratchetInput
    }
}

extension SealedAnswer {
    /// Returns how many statements of a list fit into one answer, from the first one on: at most eight, and at most
    /// 40,960 bytes unless there is only one.
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
        try reader.readArray(count: 3)
        message = try SignatureList(from: &reader)
        let count = try reader.readArray(maximum: FieldLimit.statements)
        statements = []
        for _ in 0..<count { statements.append(try SignatureList(from: &reader)) }
        ratchetInput = try reader.readIfNull() ? nil : reader.readSecret(count: FieldSize.random)
        try reader.finish()
    }

    package func write(to output: inout some CBOROutput) {
        output.array(3)
        message.write(to: &output)
        output.array(statements.count)
        for statement in statements { statement.write(to: &output) }
        if let ratchetInput { output.secret(ratchetInput) } else { output.null() }
    }
}
