internal import Crypto
internal import OrchestrationProtocol
internal import Primitives

/// Offers a generation with a fresh secret to a device that sends its unlock code.
///
/// The same code gets the same offer until the offer is used or replaced, or the code expires.
struct UnlockHandler: MessageHandler {
    let message: UnlockMessage
    /// The unlock code of the device that has not ended; `nil` for none.
    let code: UnlockCodeRecord?
    /// The keyed hash of the secret in the message, for this code; empty without a code.
    let secretHash: [UInt8]
    /// The open offers of the device.
    let offers: [PasswordOffer]
    /// K₁ of a further offer.
    let secret: SymmetricKey
    /// The rules for the new password.
    let policy: PINPolicy

    var states: Set<DeviceState> { [.pendingNotification, .active, .locked] }

    func decide(_ request: ServedRequest) -> DeviceDecision {
        guard let code, let known = code.secretHash, code.handle == message.handle, request.now < code.expiresAt else {
            return request.refuse(.unlockCodeRefused)
        }
        guard ConstantTime.equal(known.span, secretHash.span) else { return countTry(of: code, request) }
        guard let generation = code.generation else { return offer(for: code, request) }
        guard let open = offers.first(where: { $0.generation == generation }) else {
            return request.refuse(.unlockCodeRefused)
        }
        return request.accept(.unlock(answer(open)))
    }

    private func countTry(of code: UnlockCodeRecord, _ request: ServedRequest) -> DeviceDecision {
        var tried = code
        tried.tries += 1
        if tried.tries >= UnlockLimits.tries { tried.secretHash = nil }
        var decision = request.refuse(.unlockCodeRefused)
        decision.result = .refused(
            Refusal(.unlockCodeRefused, remainingTries: UInt64(max(0, UnlockLimits.tries - tried.tries))))
        decision.event = .unlockRefused
        decision.write = { [tried] in try requireWritten($0.update(tried)) }
        return decision
    }

    private func offer(for code: UnlockCodeRecord, _ request: ServedRequest) -> DeviceDecision {
        var row = request.row
        // A restored platform may not know the generation of the device.
        let highest = max(row.generation, row.offeredGeneration, message.generation)
        guard highest < UInt64(Int64.max) else { return request.refuse(.generationUnknown) }
        let offer = PasswordOffer(generation: highest + 1, secret: secret, isUnlock: true)
        row.offeredGeneration = offer.generation
        let failures = row.passwordFailures
        row.clearFailures()
        var used = code
        used.generation = offer.generation
        var decision = request.accept(.unlock(answer(offer)), row, event: .unlockUsed)
        decision.failedPasswords = failures
        decision.passwordOffer = offer
        decision.storedGeneration = message.generation
        decision.write = { [used] in try requireWritten($0.update(used)) }
        return decision
    }

    private func answer(_ offer: PasswordOffer) -> UnlockMessage.Answer {
        UnlockMessage.Answer(
            generation: offer.generation, secret: MessageSecret(offer.secret.secretBytes),
            policy: PINPolicyForm(policy))
    }
}
