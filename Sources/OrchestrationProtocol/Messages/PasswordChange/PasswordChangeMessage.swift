/// The beginning of a password change: the device proves the current password.
///
/// The request is sent with a proof of the password instance's secret. The proof names the generation.
package struct PasswordChangeMessage: ChannelMessage {
    package static let type = MessageType("password.change")

    package init() {}

    package init(from reader: inout CBORReader) throws(WireError) { try reader.readArray(count: 0) }

    package func write(to output: inout some CBOROutput) { output.array(0) }

    package var body: RequestBody { .passwordChange }

    /// The offer of the next generation.
    package struct Answer: MessageBody {
        /// The generation of the new password: one above the generation in the proof.
        package var generation: UInt64

        /// δ, the difference between the secrets of the two generations, 32 bytes. It is never stored.
        package var change: MessageSecret

        /// The rules for the new password.
        package var policy: PINPolicyForm

        package init(generation: UInt64, change: MessageSecret, policy: PINPolicyForm) {
            self.generation = generation
            self.change = change
            self.policy = policy
        }

        package init(from reader: inout CBORReader) throws(WireError) {
            try reader.readArray(count: 3)
            generation = try reader.readNumber()
            change = try reader.readSecret(count: FieldSize.hash)
            policy = try PINPolicyForm(from: &reader)
        }

        package func write(to output: inout some CBOROutput) {
            output.array(3)
            output.unsigned(generation)
            output.secret(change)
            policy.write(to: &output)
        }
    }
}

extension AnswerBody {
    package static func passwordChange(_ offer: PasswordChangeMessage.Answer) -> AnswerBody {
        AnswerBody(offer, to: PasswordChangeMessage.self)
    }
}
