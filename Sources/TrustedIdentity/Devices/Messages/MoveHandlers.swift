internal import OrchestrationProtocol
internal import Primitives

/// Makes an activation password for a device that proves its password and moves to another device. It replaces the
/// activation password of a previous move, or of a registration.
struct MoveBeginHandler: MessageHandler {
    /// The offer; `nil` with a wrong proof.
    let move: OfferedMove?

    func decide(_ request: ServedRequest) -> DeviceDecision {
        request.proving(.password) { row in
            guard let move else { return request.refuse(.malformed) }
            var decision = request.accept(.moveBegin(move.answer), row, event: .moveStarted)
            decision.write = { try $0.replaceActivationPassword(by: move.record, dropping: move.revocation) }
            return decision
        }
    }
}

/// An activation password for the target device of a move.
struct OfferedMove: Sendable {
    let answer: MoveBeginMessage.Answer
    let record: ActivationPasswordRecord
    /// The revocation of the devices that began an activation with a previous activation password.
    let revocation: DeviceRevocation
}

extension Platform {
    /// Makes an activation password for the move of a device. Each call makes another one.
    func offeredMove(of device: DeviceRecord, now: Timestamp) throws -> OfferedMove {
        let activationPassword = ActivationPassword.make(random: random)
        let record = try row(
            of: activationPassword, account: device.account, registrationID: Hex.encode(random.bytes(16)),
            movedDevice: device.id, now: now)
        return OfferedMove(
            answer: MoveBeginMessage.Answer(
                activationPassword: MessageSecret(activationPassword.formatted()), expiry: record.expiresAt,
                address: configuration.publicAddress),
            record: record, revocation: DeviceRevocation(sealer: sealer, now: now, reason: "moveStarted"))
    }
}

/// The move that an activation completes.
enum ActivationMove: Sendable, Equatable {
    /// The activation password belongs to a registration.
    case absent
    /// The device with this id moves. It is revoked with the last step.
    case open([UInt8])
    /// The device that moved was revoked meanwhile, or locked as a copy. The activation password is no longer valid.
    case ended

    /// - Parameters:
    ///   - device: The device that is activated.
    ///   - password: The latest activation password of the account.
    ///   - others: The other activated devices of the account.
    init(of device: DeviceRecord, by password: ActivationPasswordRecord?, among others: [DeviceRecord]) {
        guard let password, password.registrationID == device.registrationID, let moved = password.movedDevice else {
            self = .absent
            return
        }
        // A copy of the device may have begun the move.
        let mayMove = others.contains { $0.id == moved && $0.lockReason != .cloneSuspected }
        self = password.spentAt == nil && mayMove ? .open(moved) : .ended
    }

    var movedDevice: [UInt8]? {
        switch self {
        case .open(let id): id
        case .absent, .ended: nil
        }
    }

    /// Returns the devices that stay. The one that moves does not count toward the limit.
    func stayingDevices(among devices: [DeviceRecord]) -> [DeviceRecord] { devices.filter { $0.id != movedDevice } }
}
