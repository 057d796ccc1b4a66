internal import Crypto
internal import Logging
internal import OrchestrationProtocol
internal import Primitives

extension Platform {
    /// Answers a sealed request.
    ///
    /// A forgery that names a known device gets the same error as one that names an unknown device: `busy` when the
    /// address is over its limit, otherwise `undecodableCommand`. The exception is a device with the maximum number of
    /// remembered refusals: no request that names it is opened, and every request that is not a repeat gets `busy`.
    func answer(_ request: ChannelRequest, from address: String?) async throws -> OrchestrationCommand {
        var charge = limiter.charge(unprovenRequestFrom: address, now: time.now())
        do {
            return try await answer(request, &charge)
        } catch let error as PlatformError where error.code == .undecodableCommand && charge.payer != .address {
            throw PlatformError(.busy)
        }
    }

    private func answer(_ request: ChannelRequest, _ charge: inout RequestCharge) async throws -> OrchestrationCommand {
        let now = time.now()
        let rows = try await channelRows(of: request, now: now)
        // The row of a device may be removed while its last answer can still be repeated.
        guard rows.device != nil || rows.replay != nil else { throw PlatformError(.undecodableCommand) }
        try limiter.charge(&charge, asRequestOf: request.header.deviceID, now: now)
        if let replay = rows.replay { return try repeatedAnswer(replay, to: request, of: rows.device, now: now) }
        guard let device = rows.device else { throw PlatformError(.undecodableCommand) }
        if device.state == .revoked { return try refuseRevoked(device, request, now: now) }
        // The request is not even opened, because one more refusal could not be remembered.
        guard rows.refusals < DeviceLimits.rememberedRefusals else { throw tooManyRefusals() }
        // A device may know a new key from another process before this process has loaded it.
        let isKnown = self.keys.sealingKey(request.header.platformKeyID, at: now) != nil
        if store.database.peers != nil, !isKnown { try await reloadKeys() }
        guard let keys = try DeviceKeys(of: device, sealer: sealer) else { throw PlatformError(.internal) }
        let verified = try verify(request, of: device, channelKey: keys.secrets.channel, now: now)
        guard request.isTimely(at: now), verified.isTimely(at: now), rows.isSinceRestore(request.header.expiry) else {
            return try await refuse(verified, Refusal(.expired), now: now)
        }
        guard verified.hasCurrentKeys(device: device, at: now) else {
            return try await refuse(verified, Refusal(.keysOutdated), now: now)
        }
        if let wait = limiter.charge(device: device.id, now: now) {
            return try await refuse(verified, Refusal(.rateLimited, retryAfter: UInt64(max(0, wait))), now: now)
        }
        limiter.refund(charge)
        return try await decide(on: verified, rows: rows, keys: keys, now: now)
    }

    /// Decides on a verified request, and decides again after a write conflict.
    ///
    /// The signature of the answer covers the decision, so it cannot be made earlier. An answer is signed and sealed
    /// again only when a repeated decision leads to another answer.
    private func decide(
        on verified: VerifiedRequest, rows: ChannelRows, keys: DeviceKeys, now: Timestamp
    ) async throws -> OrchestrationCommand {
        // The rows by which the request was verified, with the opened keys in them.
        var unused: (rows: ChannelRows, keys: DeviceKeys)? = (rows, keys)
        var answer: SignedAnswer?
        var receipt: SignedReceipt?
        let randomness = MessageRandomness(random)
        return try await retryingConflicts {
            let (rows, opened): (ChannelRows, DeviceKeys?) =
                if let first = unused.take() { first } else {
                    (try await channelRows(of: verified.request, now: now), nil)
                }
            if let replay = rows.replay { return try repeatedAnswer(replay, to: verified, now: now) }
            guard let device = rows.device else { throw PlatformError(.undecodableCommand) }
            // The device may have been revoked since the request was verified.
            guard let keys = try opened ?? DeviceKeys(of: device, sealer: sealer) else {
                return try sealed(Refusal(.revoked), for: verified, now: now)
            }
            // The store may have been restored since the request was verified. That changes the row about the platform.
            guard rows.isSinceRestore(verified.request.header.expiry) else {
                return try await refuse(verified, Refusal(.expired), now: now)
            }
            let deviceData = try await deviceDataInput(of: verified.message, device: device, now: now)
            let ratchet = try verified.ratchetCheck(
                device: device, keys: keys, fresh: randomness.ratchetInput, now: now)
            let deviceRequest = DeviceRequest(
                device: device, message: verified.message,
                proof: verified.proofOutcome(device: device, keys: keys, ratchet: ratchet.key),
                proofGeneration: verified.proofGeneration ?? 0,
                provesUnlock: keys.secrets.offers.contains {
                    $0.isUnlock && $0.generation == verified.proofGeneration
                }, now: now, isSuspended: rows.isSuspended,
                tries: configuration.pinPolicy.tries, cumulativeTries: configuration.cumulativeTries, ratchet: ratchet)
            let handler = try await handler(
                of: verified, deviceRequest, rows: rows, keys: keys, deviceData: deviceData.known,
                randomness: randomness)
            var decision = deviceRequest.decide(with: handler)
            if let end = decision.approvalEnd {
                let signed = try signedReceipt(
                    of: end, device: device, keys: verified.platformKeys, earlier: receipt, now: now)
                receipt = signed
                if end.refusal == nil { decision.result = .accepted(.approvalAnswer(signed.parts)) }
            }
            // The best suite that a device ever used. A lower one is refused from now on.
            decision.device.suite = max(device.suite, verified.suite.rawValue)
            decision.device.keyStatement = verified.confirmedStatement(device: device)
            try keys.sealRatchet(of: &decision.device, as: ratchet.keys, sealer: sealer)
            try keys.sealSecrets(
                of: &decision.device, registered: decision.registeredSecret, offered: decision.passwordOffer,
                stored: decision.storedGeneration, sealer: sealer)
            let reported = decision.reportsFailures ? rows.unreported : []
            let message = verified.answer(
                decision.result, failedPasswords: decision.failedPasswords,
                failedCodes: reported.reduce(0) { $0 + $1.unreported },
                notice: decision.notice, deviceData: decision.usesDeviceData ? deviceData.reply : nil,
                methods: decision.device.enrolledMethods, at: now)
            // Nothing is sent that is not stored.
            let ratchetInput = decision.device.offeredIndex > decision.device.ratchetIndex ? ratchet.platformInput : nil
            let signed =
                if let answer, answer.message == message, answer.ratchetInput == ratchetInput { answer } else {
                    try verified.seal(message, ratchetInput: ratchetInput, random: random)
                }
            answer = signed
            if decision.isActivationReceipt { decision.device.remember(receipt: signed.hash) }
            let write = DeviceWrite(
                decision: decision, before: device, suspension: rows.state.suspension,
                replay: verified.replay(answer: signed.command.bytes), reported: reported,
                approval: decision.approvalEnd.flatMap { end in
                    receipt.map { approvalWrite(end, $0, device: device, now: now) }
                }, deviceData: try decision.usesDeviceData ? deviceDataWrite(deviceData, of: device) : nil,
                sealer: sealer, now: now)
            try await store.acting(as: .device(device.id)).write { try write.commit(in: $0) }
            report(write, of: verified.message.type)
            return signed.command
        }
    }

    /// Reads the device data of a request. A request without data reads nothing.
    private func deviceDataInput(
        of message: RequestMessage, device: DeviceRecord, now: Timestamp
    ) async throws -> DeviceDataInput {
        guard message.extensions.deviceData != nil else { return .none }
        let row = try await store.read { [id = device.id] in try $0.deviceData(of: id) }
        let retention = configuration.retention.deviceData
        let stored = row.flatMap { StoredDeviceData($0, of: device, sealer: sealer, keptFor: retention, now: now) }
        return DeviceDataInput(message, stored: stored)
    }

    private func deviceDataWrite(_ input: DeviceDataInput, of device: DeviceRecord) throws -> DeviceDataWrite? {
        guard let update = input.update else { return nil }
        let retention = configuration.retention.deviceData
        return DeviceDataWrite(
            record: try update.record(of: device, sealer: sealer, keptFor: retention), sentAt: update.sentAt,
            device: device, retention: retention)
    }

    private func channelRows(of request: ChannelRequest, now: Timestamp) async throws -> ChannelRows {
        try await store.read { try ChannelRows(request, now: now, in: $0) }
    }

    /// Reports a decision to metrics, watchers and the log.
    private func report(_ write: DeviceWrite, of type: MessageType) {
        let (decision, device) = (write.decision, write.before)
        if case .refused = decision.result { metrics.count(.refusedCommands) }
        if decision.event == .activationCompleted { metrics.count(.activations) }
        if decision.device.state != device.state || decision.fate != .stays || decision.event == .moveStarted {
            watch.changed(.account(device.account))
        }
        if let end = decision.approvalEnd {
            metrics.count(end.outcome == .approved ? .approvals : .rejections)
        }
        if let request = decision.changedApproval { watch.changed(.approvalRequest(request)) }
        logger.debug("device request answered", metadata: ["request.type": "\(type)"])
    }
}
