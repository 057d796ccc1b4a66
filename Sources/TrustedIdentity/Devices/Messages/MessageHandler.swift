internal import Crypto
internal import OrchestrationProtocol
internal import Primitives

/// The rules for one type of message.
///
/// A handler is made for one request, with the rows that the message reads in addition to the device's row. Its
/// decision is a function of values. ``DeviceRequest/decide(with:)`` calls it after all checks that every message
/// needs.
protocol MessageHandler: Sendable {
    /// The states in which a device may send the message.
    var states: Set<DeviceState> { get }

    func decide(_ request: ServedRequest) -> DeviceDecision
}

extension MessageHandler {
    var states: Set<DeviceState> { [.pendingNotification, .active] }
}

/// The random values for one request. They stay the same when a decision is made again, and therefore its answer does,
/// too.
struct MessageRandomness: Sendable {
    let streamToken: StreamToken
    /// The secret of a method that the request registers.
    let methodSecret: SymmetricKey
    /// δ, the difference between K₁ and K₁ of an offer, or K₁ of the offer of an unlock.
    let passwordSecret: SymmetricKey
    /// The id of the approval request of a seal.
    let sealID: [UInt8]
    /// The platform's input for the next index of the key ratchet, if the request is offered one.
    let ratchetInput: SymmetricKey

    init(_ random: any RandomSource) {
        streamToken = StreamToken(bytes: random.bytes(StreamToken.count))
        methodSecret = SymmetricKey(random.secret(32))
        passwordSecret = SymmetricKey(random.secret(32))
        ratchetInput = SymmetricKey(random.secret(32))
        sealID = random.bytes(16)
    }
}

extension Platform {
    /// Returns the handler of a verified request, with the rows that its message reads.
    func handler(
        of verified: VerifiedRequest, _ request: DeviceRequest, rows: ChannelRows, keys: DeviceKeys,
        deviceData: KnownDeviceData, randomness: MessageRandomness
    ) async throws -> any MessageHandler {
        let (device, now) = (request.device, request.now)
        switch verified.message.body {
        case .activationPassword:
            return ActivationPasswordHandler()
        case .activationComplete(let message):
            return ActivationCompleteHandler(
                message: message, otherDevices: rows.otherDevices,
                activationPassword: try await store.read { try $0.activationPassword(of: device.account) })
        case .notificationsRegister(let message):
            return NotificationsRegisterHandler(identifier: message.identifier)
        case .notificationsOpen:
            return NotificationsOpenHandler(token: randomness.streamToken)
        case .synchronize(let message):
            let notices = try await store.read { store in
                // A device gets no notices from before its activation.
                try store.accountNotices(
                    of: device.account, after: message.notice, since: device.activatedAt ?? now, now: now)
            }
            return SynchronizeHandler(
                message: message, capabilities: policy.capabilities,
                generations: GenerationState(device, offers: keys.secrets.offers), policy: configuration.pinPolicy,
                otherDevices: rows.otherDevices.count, notices: notices)
        case .userDelete:
            return UserDeleteHandler()
        case .deviceData:
            return DeviceDataHandler()
        case .moveBegin:
            return MoveBeginHandler(
                move: try request.proof == .right(.password) ? offeredMove(of: device, now: now) : nil)
        case .passwordChange:
            return PasswordChangeHandler(
                offer: OfferedPassword(
                    to: request, keys: keys, change: randomness.passwordSecret, policy: configuration.pinPolicy))
        case .passwordProve:
            return PasswordProveHandler()
        case .unlock(let message):
            let code = try await store.read { [id = device.id] in try $0.unlockCode(of: id) }
            return UnlockHandler(
                message: message, code: code,
                secretHash: code.map { hashes.stored(unlockCodeSecret: message.secret, id: $0.id, device: device.id) }
                    ?? [],
                offers: keys.secrets.offers,
                secret: randomness.passwordSecret, policy: configuration.pinPolicy)
        case .methodRegister(let message):
            return MethodRegisterHandler(
                registration: message.verifiedRegistration(of: device), secret: randomness.methodSecret)
        case .methodRemove(let message):
            // The secrets are sealed here, because the transaction only writes.
            let others = message.everywhere ? rows.otherDevices : []
            return MethodRemoveHandler(
                message: message,
                otherDevices: try others.compactMap { try $0.withoutMethod(message.method, sealer: sealer) })
        case .approvalList:
            return ApprovalListHandler(
                pending: try await store.read { try $0.waitingApprovals(for: device, now: now) })
        case .approvalFetch(let message):
            let record = try await store.read { try $0.keptApproval(id: message.id, for: device, now: now) }
            return ApprovalFetchHandler(record: record, restoredAt: rows.state.restoredAt)
        case .sealRequest(let message):
            guard policy.codes.seals else { return SealRequestHandler(record: nil) }
            let waiting = try await store.read { try $0.waitingApprovals(for: device, now: now) }
            return SealRequestHandler(
                record: try sealApproval(message, of: device, id: randomness.sealID, now: now),
                replaced: waiting.filter { $0.kind == .seal })
        case .approvalAnswer(let message):
            let signature = ApprovalAnswerSignature(of: message.answer, by: device)
            let read = try await store.read {
                try ApprovalAnswerHandler.rows(for: signature, of: device, in: $0, now: now)
            }
            return try ApprovalAnswerHandler(
                signature, record: read.record, riskRow: read.riskRow,
                isNumberRight: try read.record?.isNumber(signature.number, sealer: sealer) ?? false,
                deviceData: deviceData, restoredAt: rows.state.restoredAt,
                acceptsSoftwareProviders: policy.softwareProviders)
        }
    }
}
