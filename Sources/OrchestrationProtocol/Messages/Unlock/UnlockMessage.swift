/// The beginning of an unlock: the device sends the unlock code of its user.
///
/// An unlock code has the form of an activation password. The request is sent without a proof: the user may have
/// forgotten the password.
package struct UnlockMessage: ChannelMessage {
    package static let type = MessageType("unlock")

    /// The number of bytes of ``secret``.
    package static let secretLength = 8

    /// The number that the first three characters of the unlock code encode, below 2^15. It is not secret.
    package var handle: UInt16

    /// The eight secret characters of the unlock code in ASCII, in canonical form.
    package var secret: MessageSecret

    /// The generation of the password that the device has. The offer contains a higher one, even if the platform was
    /// restored and does not know it.
    package var generation: UInt64

    package init(handle: UInt16, secret: MessageSecret, generation: UInt64) {
        self.handle = handle
        self.secret = secret
        self.generation = generation
    }

    package init(from reader: inout CBORReader) throws(WireError) {
        try reader.readArray(count: 3)
        handle = UInt16(try reader.readUnsigned(maximum: 0x7FFF))
        secret = try reader.readSecret(count: Self.secretLength)
        generation = try reader.readNumber()
    }

    package func write(to output: inout some CBOROutput) {
        output.array(3)
        output.unsigned(UInt64(handle))
        output.secret(secret)
        output.unsigned(generation)
    }

    package var body: RequestBody { .unlock(self) }

    /// The offer of a generation with a fresh secret.
    package struct Answer: MessageBody {
        /// The generation of the new password.
        package var generation: UInt64

        /// K₁ of that generation, 32 bytes.
        package var secret: MessageSecret

        /// The rules for the new password.
        package var policy: PINPolicyForm

        package init(generation: UInt64, secret: MessageSecret, policy: PINPolicyForm) {
            self.generation = generation
            self.secret = secret
            self.policy = policy
        }

        package init(from reader: inout CBORReader) throws(WireError) {
            try reader.readArray(count: 3)
            generation = try reader.readNumber()
            secret = try reader.readSecret(count: FieldSize.hash)
            policy = try PINPolicyForm(from: &reader)
        }

        package func write(to output: inout some CBOROutput) {
            output.array(3)
            output.unsigned(generation)
            output.secret(secret)
            policy.write(to: &output)
        }
    }
}

extension RequestBody {
    package static func unlock(handle: UInt16, secret: MessageSecret, generation: UInt64) -> RequestBody {
        .unlock(UnlockMessage(handle: handle, secret: secret, generation: generation))
    }
}

extension AnswerBody {
    package static func unlock(_ offer: UnlockMessage.Answer) -> AnswerBody {
        AnswerBody(offer, to: UnlockMessage.self)
    }
}
