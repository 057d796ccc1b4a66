internal import Crypto
internal import OrchestrationProtocol
internal import Primitives

/// The current password, as the platform has accepted it together with a message.
struct AcceptedPassword: Sendable {
    /// The record that the password was asked for.
    let record: UserRecord
    let password: SecretBox<Password>
    /// K₁, which the password unwraps.
    let secret: SymmetricKey
    /// The reply to the message.
    let reply: ChannelReply
    /// The body of its answer.
    let body: AnswerBody
}

extension ChannelSession {
    /// Asks for the current password and sends a message with its proof, until the platform accepts both.
    ///
    /// - Parameter text: The text of the prompt; `nil` for the text of the purpose.
    /// - Throws: The end of the flow when the user cancels, for the last wrong password, for any other refusal, and when
    ///   a newer flow has begun; the errors of ``exchange(with:_:proof:allowsLocked:effect:)``.
    func exchangeWithPassword(
        _ message: RequestBody, text: PromptText? = nil, _ events: FlowEvents
    ) async throws -> AcceptedPassword {
        var inputs = RefusedInputs()
        while true {
            guard let (record, key) = try await environment.vault.open(account) else {
                throw OrchestrationError(.notActivated)
            }
            try record.requireActive()
            let password = try await environment.currentPassword(
                of: account, inputs, policy: record.pinPolicy, text: text)
            guard try await inputs.accepts(password, under: record.pinPolicy, events) else { continue }
            // A newer flow may have begun during the prompt, and the proof may cost a try.
            try await events.send([])
            let secret = try await record.passwordInstance(password.secret, key: key)
            let reply = try await exchange(
                message, proving: secret, generation: record.generation, of: record.deviceID)
            switch reply.result {
            case .accepted(let acceptance):
                return AcceptedPassword(
                    record: record, password: password, secret: secret, reply: reply, body: acceptance.body)
            case .refused(let refusal): try await events.send(try inputs.refuse(refusal, after: reply.warnings))
            }
        }
    }
}
