internal import OrchestrationProtocol
internal import Primitives

/// Offers the next generation to a device that proves the current password. The offer of a generation is always the
/// same.
struct PasswordChangeHandler: MessageHandler {
    /// The offer; `nil` when no later generation is possible, and with a wrong proof.
    let offer: PasswordChangeMessage.Answer?

    func decide(_ request: ServedRequest) -> DeviceDecision {
        request.proving(.password) { row in
            guard let offer else { return request.refuse(.generationUnknown) }
            var row = row
            row.offer(generation: offer.generation)
            return request.accept(.passwordChange(offer), row, event: .passwordChangeOffered)
        }
    }
}

/// Accepts the proof of the new password, which promotes its generation.
struct PasswordProveHandler: MessageHandler {
    func decide(_ request: ServedRequest) -> DeviceDecision {
        request.proving(.password) { row in request.accept(.passwordProve, row) }
    }
}

extension Platform {
    /// Returns the offer of the next generation for a device that has proven the current password; `nil` otherwise.
    func passwordOffer(
        for verified: VerifiedRequest, _ proof: ProofOutcome, keys: DeviceKeys
    ) throws -> PasswordChangeMessage.Answer? {
        guard proof == .right(.password), let generation = verified.proofGeneration, generation < UInt64(Int64.max)
        else { return nil }
        let secret = try keys.password(ofGeneration: generation, device: verified.device, changeKey: changeKey)
        let change = changeKey.change(to: generation + 1, from: secret, device: verified.device)
        return PasswordChangeMessage.Answer(
            generation: generation + 1, change: MessageSecret(change.secretBytes),
            policy: PINPolicyForm(configuration.pinPolicy))
    }
}
