internal import Crypto
internal import Logging
internal import Primitives
internal import SecureChannel
internal import Wire

// The front of the channel: what came sealed is opened, verified, decided and answered sealed.
extension Platform {
    /// Answers a sealed request.
    ///
    /// - Parameter admission: what it was let in by so far.
    func answer(_ message: Encrypt0, admission: inout Admission) async throws -> OrchestrationCommand {
        let now = time.now()
        let request = try refusingUndecodable { try ChannelRequest(message) }
        let header = request.header
        let context = try await store.read { store in
            try ChannelContext(device: header.deviceID, request: header.requestID, in: store)
        }
        // A device that left may have its last answer repeated.
        guard context.device != nil || context.replay != nil else { throw PlatformError(.undecodableCommand) }
        try gates.admit(&admission, asOneOf: header.deviceID, now: now)
        if let replay = context.replay {
            // Needs no key: whoever repeats a request gets what was sent already, and can open it or cannot.
            guard replay.requestHash == request.hash else { throw PlatformError(.undecodableCommand) }
            return try OrchestrationCommand(bytes: replay.answer)
        }
        guard let device = context.device, let sealedSecrets = device.secrets, let sealedRatchet = device.ratchet,
            let suite = UInt8(exactly: header.suite).flatMap(Suite.init(rawValue:)), suite.rawValue >= device.suite,
            let pair = keys.sealing(header.platformKeyID), pair.suite == suite
        else { throw PlatformError(.undecodableCommand) }
        let secrets = try DeviceSecrets(decoding: sealer.open(sealedSecrets, .deviceSecrets, row: device.id))
        let address = try refusingUndecodable {
            DeviceAddress(
                tenant: configuration.tenant, account: try AccountName(text: device.account, defaultDomain: ""),
                id: device.id)
        }
        let identity = ChannelIdentity(device: address, suite: suite, presharedKey: secrets.channel)
        let (sealed, message, answer) = try refusingUndecodable {
            let (plaintext, answer) = try request.open(with: pair, as: identity)
            let sealed = try SealedRequest(decoding: plaintext)
            let message = try RequestMessage.verified(
                sealed.message, deviceKey: device.deviceKey,
                binding: MessageBinding(device: address, requestID: header.requestID))
            return (sealed, message, answer)
        }
        let exchange = DeviceExchange(
            request: request, message: message.message, answer: answer, device: device, now: now)
        guard request.isTimely(at: now), ChannelExpiry.isSince(context.restoredAt, header.expiry) else {
            return try refuse(exchange, Refusal(.expired))
        }
        if !admission.isCounted, let wait = gates.take(device: device.id, now: now) {
            return try refuse(exchange, Refusal(.rateLimited, retryAfter: UInt64(max(0, wait))))
        }
        if !admission.isCounted { gates.giveBack(admission) }
        admission.isCounted = true
        let ratchet = try sealer.ratchet(of: device, sealed: sealedRatchet)
        let proof = try outcome(
            of: sealed, message: message, device: device, address: address, secrets: secrets, ratchet: ratchet, now: now
        )
        let decision = DeviceMachine(
            device: device,
            request: DeviceRequest(
                message: message.message, proof: proof, now: now, otherDevices: context.otherDevices,
                tries: configuration.pinPolicy.tries)
        ).decide()
        return try await carryOut(decision, exchange, ratchet: ratchet, untold: context.untold)
    }

    private func carryOut(
        _ decision: DeviceDecision, _ exchange: DeviceExchange, ratchet: DeviceRatchet, untold: [ThrottleRecord]
    ) async throws -> OrchestrationCommand {
        let (device, now) = (exchange.device, exchange.now)
        var decision = decision
        // The best suite that a device ever used: from now on a lower one is refused.
        decision.device.suite = max(device.suite, UInt8(clamping: exchange.request.header.suite))
        if decision.device.ratchetIndex != device.ratchetIndex {
            let moved = try ratchet.promoted(to: decision.device.ratchetIndex, from: device.ratchetIndex)
            decision.device.ratchet = try sealer.seal(
                moved.encoded(), .deviceRatchet, row: device.id, revision: Int64(clamping: decision.device.ratchetIndex)
            )
        }
        let told = decision.effects.contains(.tellFailures) ? untold : []
        let signed = try sign(
            exchange, decision.result, moveTo: decision.moveTo, failedCodes: told.reduce(0) { $0 + $1.untold })
        if decision.effects.contains(.rememberReceipt) {
            decision.device.remember(receipt: Array(SHA256.hash(data: signed.encoded)))
        }
        let answer = try seal(signed, exchange)
        let write = DeviceWrite(
            decision: decision, before: device,
            replay: ReplayRecord(
                device: device.id, request: exchange.message.requestID, requestHash: exchange.request.hash,
                answer: answer.bytes,
                keptUntil: exchange.request.rememberUntil),
            told: told, now: now)
        try await store.write { try write.commit(in: $0) }
        if case .refused = decision.result { metrics.count(.refusedCommands) }
        if decision.effects.contains(.completeActivation) { metrics.count(.activations) }
        if decision.device.state != device.state { watch.changed(device.account) }
        logger.debug("device request answered", metadata: ["request.type": "\(exchange.message.type)"])
        return answer
    }

    /// A refusal that has no effect and is not kept: asked again, it is decided again.
    private func refuse(_ exchange: DeviceExchange, _ refusal: Refusal) throws -> OrchestrationCommand {
        metrics.count(.refusedCommands)
        return try seal(
            sign(exchange, .refused(refusal), moveTo: exchange.message.ratchetIndex, failedCodes: 0), exchange)
    }

    private func sign(
        _ exchange: DeviceExchange, _ result: AnswerResult, moveTo: UInt64, failedCodes: Int
    ) throws -> Sign1 {
        let message = AnswerMessage(
            type: exchange.message.type, tenant: configuration.tenant, account: exchange.device.account,
            deviceID: exchange.device.id, requestID: exchange.message.requestID, time: exchange.now,
            ratchetIndex: moveTo, failedCodes: UInt64(max(0, failedCodes)), result: result)
        return try message.signed(with: keys.signing)
    }

    private func seal(_ message: Sign1, _ exchange: DeviceExchange) throws -> OrchestrationCommand {
        try exchange.answer.seal(SealedAnswer(message: message).encoded, random: random)
    }

    /// Checks the proof beside a request, and forgets it.
    private func outcome(
        of sealed: SealedRequest, message: Verified<RequestMessage>, device: DeviceRecord, address: DeviceAddress,
        secrets: DeviceSecrets, ratchet: DeviceRatchet, now: Timestamp
    ) throws -> ProofOutcome {
        guard let proof = sealed.proof else { return .absent }
        switch RatchetState(device).position(of: message.message.ratchetIndex, now: now) {
        case .current, .previous, .next, .ahead: break
        // There is no key for it, and the request is refused for its index.
        case .outdated, .unknown: return .absent
        }
        // The method of a proof is the one whose secret proves it; a proof that claims another is none.
        guard proof.method == ((proof.instance == .password ? AuthenticationMethod.password : .possession).rawValue)
        else { return .absent }
        guard proof.generation == device.generation else { return .otherGeneration }
        let key = try ratchet.key(at: message.message.ratchetIndex, confirmed: device.ratchetIndex)
        let isRight = InstanceKeys.verifyProof(
            proof.tag, of: message.encoded,
            secret: proof.instance == .password ? secrets.password : secrets.possession,
            ratchet: key, instance: proof.instance, method: proof.method, generation: proof.generation,
            device: address)
        return isRight ? .right(proof.instance) : .wrong(proof.instance)
    }

    private func refusingUndecodable<R>(_ body: () throws -> R) throws -> R {
        do {
            return try body()
        } catch {
            throw PlatformError(.undecodableCommand, underlying: error)
        }
    }
}

/// A request that was opened and verified, and the way to answer it.
struct DeviceExchange {
    let request: ChannelRequest
    let message: RequestMessage
    let answer: AnswerSealer
    let device: DeviceRecord
    let now: Timestamp
}
