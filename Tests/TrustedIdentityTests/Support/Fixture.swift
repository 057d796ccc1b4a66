import Crypto
import OrchestrationProtocol
import Primitives

@testable import TrustedIdentity

/// Rows and messages for decisions.
enum Fixture {
    static let now = Timestamp(secondsSinceEpoch: 1_800_000_000)
    static let id = [UInt8](repeating: 0xD0, count: 16)
    static let receipt = [UInt8](repeating: 0x11, count: 32)

    static func device(_ state: DeviceState = .active) -> DeviceRecord {
        var device = DeviceRecord(
            id: id, account: "alice@master", registrationID: "r1", serialNumber: "TI0000000001", createdAt: now,
            pendingUntil: now.advanced(seconds: 1_800), name: "phone", sdkVersion: "1", methods: [1],
            deviceKey: [UInt8](repeating: 2, count: 33), suite: 1, promotedAt: now)
        device.state = state
        return device
    }

    static func message(_ body: RequestBody, index: UInt64 = 0, reread: Bool = false) -> RequestMessage {
        RequestMessage(
            MessageHead(
                tenant: "default", account: "alice@master", deviceID: id, requestID: [UInt8](repeating: 1, count: 16),
                time: now, ratchetIndex: index),
            reread: reread, body: body)
    }

    static func decide(
        _ device: DeviceRecord, _ body: RequestBody, proof: ProofOutcome = .absent, index: UInt64 = 0,
        reread: Bool = false, now: Timestamp = now, others: [DeviceRecord] = [],
        activationPassword: ActivationPasswordRecord? = nil, isSuspended: Bool = false
    ) -> DeviceDecision {
        DeviceRequest(
            device: device, message: message(body, index: index, reread: reread), proof: proof, now: now,
            isSuspended: isSuspended, tries: 5, cumulativeTries: 15, ratchet: ratchet(of: device, at: index, now: now)
        ).decide(with: handler(of: body, device, others: others, activationPassword: activationPassword))
    }

    /// Returns the check of a request with the right tag, which brings its state where the platform lacks it.
    static func ratchet(of device: DeviceRecord, at index: UInt64, now: Timestamp = now) -> RatchetCheck {
        let (state, keys) = (RatchetState(device), DeviceRatchet(start: SymmetricKey(size: .bits256)))
        return switch state.position(of: index, now: now) {
        case .current, .previous, .next:
            RatchetCheck(.accepted, key: keys.confirmed, state.used(at: index, now: now), keys)
        case .outdated: RatchetCheck(.outdated, state, keys)
        case .unknown where device.isRestored:
            RatchetCheck(.brought, key: keys.confirmed, state.takingOver(index, now: now), keys)
        case .unknown: RatchetCheck(.unknown, state, keys)
        }
    }

    /// Returns the handler of a message, with nothing that it would read from the store.
    private static func handler(
        of body: RequestBody, _ device: DeviceRecord, others: [DeviceRecord],
        activationPassword: ActivationPasswordRecord?
    ) -> any MessageHandler {
        switch body {
        case .activationPassword: ActivationPasswordHandler()
        case .activationComplete(let message):
            ActivationCompleteHandler(
                message: message, otherDevices: others, activationPassword: activationPassword)
        case .notificationsRegister(let message): NotificationsRegisterHandler(identifier: message.identifier)
        case .notificationsOpen: NotificationsOpenHandler(token: StreamToken(bytes: []))
        case .synchronize(let message):
            SynchronizeHandler(
                message: message, capabilities: [.oneTimePasswords, .hostCodes],
                generations: GenerationState(device, offers: []), policy: .default, otherDevices: others.count,
                notices: [])
        case .userDelete: UserDeleteHandler()
        case .deviceData: DeviceDataHandler()
        case .moveBegin: MoveBeginHandler(move: nil)
        case .sealRequest: SealRequestHandler(record: nil)
        case .passwordChange: PasswordChangeHandler(offer: nil)
        case .passwordProve: PasswordProveHandler()
        case .unlock(let message):
            UnlockHandler(
                message: message, code: nil, secretHash: [], offers: [], secret: SymmetricKey(size: .bits256),
                policy: PlatformConfiguration().pinPolicy)
        case .methodRegister: MethodRegisterHandler(registration: nil, secret: SymmetricKey(size: .bits256))
        case .methodRemove(let message): MethodRemoveHandler(message: message, otherDevices: others)
        case .approvalList: ApprovalListHandler(pending: [])
        case .approvalFetch: ApprovalFetchHandler(record: nil, restoredAt: nil)
        case .approvalAnswer: ApprovalAnswerHandler.unsigned
        }
    }
}

extension ApprovalAnswerHandler {
    /// The handler of an answer that no key of the device has signed.
    fileprivate static var unsigned: Self {
        do {
            return try Self(.missing, record: nil, riskRow: nil)
        } catch {
            preconditionFailure("\(error)")
        }
    }
}

extension DeviceDecision {
    /// The code of the refusal; `nil` when accepted.
    var refusal: RefusalCode? {
        if case .refused(let refusal) = result { refusal.code } else { nil }
    }

    /// The number of remaining tries, where the refusal contains it.
    var remainingTries: UInt64? {
        if case .refused(let refusal) = result { refusal.remainingTries } else { nil }
    }
}

extension Policy {
    /// Returns the default with other methods whose codes are accepted.
    static func accepting(_ methods: Set<AuthenticationMethod>) -> Policy {
        var policy = Policy.default
        policy.codes.methods = methods
        return policy
    }
}
