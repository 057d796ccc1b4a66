internal import Crypto
internal import Logging
internal import OrchestrationProtocol
internal import Primitives

// Refusals of authenticated requests without an effect, and the answers to repeats. A refusal is final: bytes that were
// refused once are never executed, however often they are sent, even if a clock was wrong. A restore from a backup that
// does not contain the refusal is followed by another check (`ChannelRows.isSinceRestore`).
extension Platform {
    /// Opens a request and verifies its signature.
    ///
    /// - Throws: ``PlatformError`` with `undecodableCommand` when the request is not authentic.
    func verify(
        _ request: ChannelRequest, of device: DeviceRecord, channelKey: SymmetricKey, now: Timestamp
    ) throws -> VerifiedRequest {
        try VerifiedRequest(
            request, from: device, channelKey: channelKey, platformKeys: keys, tenant: configuration.tenant,
            now: now)
    }

    /// Refuses a request, and remembers the refusal until a minute after the expiry of the request, and for five
    /// minutes at least.
    ///
    /// The refusal is durable before it is sent. Another copy of the request may have been answered meanwhile; this
    /// copy then gets the same answer.
    ///
    /// - Throws: ``PlatformError`` with `busy` when ``DeviceLimits/rememberedRefusals`` are remembered,
    ///   `undecodableCommand` when the device was removed meanwhile.
    func refuse(
        _ verified: VerifiedRequest, _ refusal: Refusal, now: Timestamp
    ) async throws -> OrchestrationCommand {
        let record = verified.replay(refusal, now: now)
        let outcome = try await write { store in try Remembering(record, in: store, now: now) }
        switch outcome {
        case .remembered: return try sealed(refusal, for: verified, now: now)
        case .known(let replay): return try repeatedAnswer(replay, to: verified, now: now)
        case .revoked: return try sealed(Refusal(.revoked), for: verified, now: now)
        case .full: throw tooManyRefusals()
        }
    }

    /// Counts and logs a request of a device with the maximum number of remembered refusals, and returns its error.
    func tooManyRefusals() -> PlatformError {
        metrics.count(.unopenedCommands)
        logger.notice("a device has too many refused requests: wait until they expire, or revoke it")
        return PlatformError(.busy)
    }

    /// Refuses a request as the request of a revoked device, whatever it asks and whatever its time is.
    ///
    /// The request is opened only for that purpose. It has no effect, nothing of it is stored, and it stays charged to
    /// its address, like the request of an unknown device.
    func refuseRevoked(
        _ device: DeviceRecord, _ request: ChannelRequest, now: Timestamp
    ) throws -> OrchestrationCommand {
        let retention = configuration.retention.revokedDevices
        guard let channelKey = try device.revokedChannelKey(sealer: sealer, knownFor: retention, now: now) else {
            throw PlatformError(.undecodableCommand)
        }
        let verified = try verify(request, of: device, channelKey: channelKey, now: now)
        return try sealed(Refusal(.revoked), for: verified, now: now)
    }

    /// Returns the answer to a repeat. The bytes of an answer need no key. A refusal is sealed again, for which the
    /// request is opened.
    func repeatedAnswer(
        _ replay: ReplayRecord, to request: ChannelRequest, of device: DeviceRecord?, now: Timestamp
    ) throws -> OrchestrationCommand {
        guard replay.requestHash == request.hash else { throw PlatformError(.undecodableCommand) }
        guard replay.refusal != nil else { return try OrchestrationCommand(bytes: replay.answer) }
        // A revocation removes its device's refusals. A device with a refusal therefore still has its keys.
        guard let device, let keys = try DeviceKeys(of: device, sealer: sealer) else {
            throw PlatformError(.undecodableCommand)
        }
        return try repeatedAnswer(
            replay, to: verify(request, of: device, channelKey: keys.secrets.channel, now: now), now: now)
    }

    /// Returns the answer to a repeat of an opened request.
    func repeatedAnswer(
        _ replay: ReplayRecord, to verified: VerifiedRequest, now: Timestamp
    ) throws -> OrchestrationCommand {
        guard replay.requestHash == verified.request.hash else { throw PlatformError(.undecodableCommand) }
        guard let refusal = replay.refusal else { return try OrchestrationCommand(bytes: replay.answer) }
        return try sealed(
            Refusal(RefusalCode(rawValue: refusal.code), retryAfter: refusal.retryAfter), for: verified, now: now)
    }

    /// Signs and seals a refusal without an effect. The device stays at its index.
    func sealed(_ refusal: Refusal, for verified: VerifiedRequest, now: Timestamp) throws -> OrchestrationCommand {
        metrics.count(.refusedCommands)
        let message = verified.answer(
            .refused(refusal), failedCodes: 0, at: now)
        return try verified.seal(message, random: random).command
    }
}

/// The transaction that remembers the refusal of a request.
private enum Remembering: Sendable {
    case remembered
    /// Another copy of the request was answered or refused meanwhile.
    case known(ReplayRecord)
    /// The device was revoked meanwhile, and its refusals are not remembered.
    case revoked
    /// The maximum number of the device's refusals is remembered.
    case full

    init(_ record: ReplayRecord, in store: StoreTransaction, now: Timestamp) throws {
        // 1. A copy that was executed is not refused, and keeps its answer.
        if let known = try store.replay(device: record.device, request: record.request) {
            // An answer that is no longer kept belongs to an expired request, which is refused again without a record.
            self = now < known.keptUntil || known.requestHash != record.requestHash ? .known(known) : .remembered
            return
        }
        // 2. A revocation removes what is remembered. Nothing may be added after it.
        guard let device = try store.device(record.device) else { throw PlatformError(.undecodableCommand) }
        guard device.state != .revoked else {
            self = .revoked
            return
        }
        // 3. Many requests at once must not pass the limit.
        guard try store.refusalCount(of: record.device, after: now) < DeviceLimits.rememberedRefusals else {
            self = .full
            return
        }
        try requireWritten(store.insert(record))
        self = .remembered
    }
}
