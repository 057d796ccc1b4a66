internal import Crypto
internal import OrchestrationProtocol
internal import Primitives

/// Offers a further generation to a device that proves the current password. Each offer is different.
struct PasswordChangeHandler: MessageHandler {
    /// The offer; `nil` when no later generation is possible, and with a wrong proof.
    let offer: OfferedPassword?

    func decide(_ request: ServedRequest) -> DeviceDecision {
        request.proving(.password) { row in
            guard let offer else { return request.refuse(.generationUnknown) }
            var row = row
            row.offeredGeneration = offer.answer.generation
            var decision = request.accept(
                .passwordChange(offer.answer), row,
                event: offer.isReplacing ? .passwordOfferReplaced : .passwordChangeOffered)
            decision.passwordOffer = PasswordOffer(generation: offer.answer.generation, secret: offer.secret)
            return decision
        }
    }
}

/// Accepts the proof of the new password, which promotes its generation. It ends the lock of a device that was unlocked:
/// a locked device is served only with a generation that an unlock has offered.
struct PasswordProveHandler: MessageHandler {
    var states: Set<DeviceState> { [.pendingNotification, .active, .locked] }

    func decide(_ request: ServedRequest) -> DeviceDecision {
        request.proving(.password) { row in
            guard row.state == .locked else { return request.accept(.passwordProve, row) }
            var row = row
            row.unlock()
            return request.accept(.passwordProve, row, event: .deviceUnlocked)
        }
    }
}

/// An offer of a password generation.
struct OfferedPassword: Sendable {
    let answer: PasswordChangeMessage.Answer
    /// K₁ of the generation.
    let secret: SymmetricKey
    /// Whether the oldest open offer ends.
    let isReplacing: Bool

    /// Creates the next offer to a device.
    ///
    /// - Returns: `nil` for a request that does not prove the current password, and when no later generation is
    ///   possible.
    init?(to request: DeviceRequest, keys: DeviceKeys, change: SymmetricKey, policy: PINPolicy) {
        let (device, proven) = (request.device, request.proofGeneration)
        let highest = max(device.generation, device.offeredGeneration)
        guard request.proof == .right(.password), highest < UInt64(Int64.max),
            let present = keys.password(ofGeneration: proven)
        else { return nil }
        answer = PasswordChangeMessage.Answer(
            generation: highest + 1, change: MessageSecret(change.secretBytes), policy: PINPolicyForm(policy))
        secret = PasswordGenerations.applying(change, to: present)
        isReplacing = proven == device.generation && keys.secrets.offers.count == PasswordOffer.maximumCount
    }
}
