internal import Primitives
internal import SecureChannel
internal import Wire

/// Step 1 has left: the code's half of the key exchange waits for the platform's.
struct AwaitingAnswer: ~Copyable {
    let initiator: ActivationInitiator
    let description: DeviceDescription
    let random: any RandomSource
}

/// The platform has proved that it knows the code; the device key is still to be made.
struct AwaitingDeviceKey: ~Copyable {
    var session: ActivationSession
    let description: DeviceDescription
    let random: any RandomSource
}

/// Step 2 has left.
struct AwaitingKeys: ~Copyable {
    /// Whole, because moving a field out of it is miscompiled with optimization.
    let asked: AwaitingDeviceKey
    let registration: DeviceRegistration

    /// The end of an activation whose step 2 the platform refuses.
    static func end(_ reason: ActivationRefusal.Reason) -> ActivationEnd {
        // Both sides have proved that they know the activation password: the platform refuses a session that is over.
        reason == .refused ? .outdated(.expired) : ActivationEnd(reason)
    }

    /// The device that the platform has set up; `nil` when what it issued is outside the protocol's limits.
    borrowing func device(_ provisioning: Provisioning) -> ActivatedDevice? {
        let secrets = asked.session.secrets(registration: registration, provisioning: provisioning)
        return ActivatedDevice(suite: asked.session.suite, provisioning: provisioning, secrets: secrets)
    }
}

extension ActivationEnd {
    /// What an unauthenticated refusal means for the run. It ends the run and changes nothing that is stored.
    init(_ reason: ActivationRefusal.Reason) {
        switch reason {
        case .refused: self = .aborted(.activationPassword(.notConfirmed))
        case .deviceLimitReached: self = .aborted(.deviceLimitReached)
        default: self = .failed(.invalidAnswer)
        }
    }
}
