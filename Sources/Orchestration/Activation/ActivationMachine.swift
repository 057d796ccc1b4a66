internal import Crypto
internal import OrchestrationProtocol
internal import Primitives

/// The client's side of an activation, without I/O, clock or user.
///
/// Each method takes one input and returns the next action, or `nil` for an input that does not belong to the state:
/// answers come late, twice and from strangers. An action holds no secret. The secrets live as long as the machine, and
/// the flow reads those that an action needs from ``chosen`` and ``passwordSecret``.
struct ActivationMachine: ~Copyable {
    private enum State {
        case awaitingAnswer(Offer)
        case awaitingDeviceKey(Exchange)
        case awaitingKeys(Exchange, DeviceRegistration)
        case awaitingPassword(ActivatedDevice)
        case awaitingConfirmation(ActivatedDevice, SecretBox<Password>)
        case awaitingStorage(ActivatedDevice, SecretBox<Password>)
        case awaitingRecall
        case awaitingProof(SymmetricKey)
        case awaitingCompletion
        case finished
    }

    private var state: State

    /// The action at the start.
    let first: Action

    /// Starts at step 1.
    ///
    /// - Throws: The errors of the key exchange for arguments of this device that are out of range. No peer can cause
    ///   them.
    init(
        activationPassword: borrowing ActivationPassword, account: AccountName, tenant: String, suites: [Suite],
        deviceName: String, random: any RandomSource
    ) throws {
        let offer = Offer(
            try ActivationInitiator(
                secret: activationPassword.secret, handle: activationPassword.handle, account: account,
                tenant: tenant, suites: suites, capabilities: Capability.device, random: random),
            DeviceDescription(name: deviceName, random: random))
        first = .send(offer.initiator.command, step: 1)
        state = .awaitingAnswer(offer)
    }

    /// Resumes at step 3 or 4.
    ///
    /// - Parameter receipt: The hash of the receipt of step 3, if it was received.
    init(resumingWith receipt: [UInt8]?) {
        if let receipt {
            first = .complete(receipt: receipt)
            state = .awaitingCompletion
        } else {
            first = .recall(rejection: nil)
            state = .awaitingRecall
        }
    }

    /// The device and the password to store, for ``Action/store``.
    var chosen: (device: ActivatedDevice, password: SecretBox<Password>)? {
        guard case .awaitingStorage(let device, let password) = state else { return nil }
        return (device, password)
    }

    /// The secret of the password's instance, for ``Action/prove``. Only the platform knows whether it is right.
    var passwordSecret: SymmetricKey? {
        guard case .awaitingProof(let secret) = state else { return nil }
        return secret
    }

    /// Takes a reply to step 1 or 2.
    mutating func receive(_ reply: OrchestrationCommand) -> Action? {
        guard let reply = try? Envelope(decoding: reply) else { return nil }
        if case .awaitingAnswer(let offer) = state { return confirm(offer, reply) }
        guard case .awaitingKeys(let exchange, let registration) = state else { return nil }
        return provision(exchange, registration, reply)
    }

    /// Takes the public half of the device key, 33 bytes.
    mutating func register(deviceKey: [UInt8]) -> Action? {
        guard case .awaitingDeviceKey(let exchange) = state else { return nil }
        let registration = exchange.description.registration(deviceKey: deviceKey)
        guard let command = try? exchange.session.seal(registration, random: exchange.description.random) else {
            return finish(.failed(.internal))
        }
        state = .awaitingKeys(exchange, registration)
        return .send(command, step: 2)
    }

    /// Takes the password that the user chose, or its confirmation.
    mutating func enter(_ password: SecretBox<Password>) -> Action? {
        if case .awaitingPassword(let device) = state {
            if let fault = password.secret.fault(under: device.policy) {
                return .enroll(device.policy, rejection: .unsuitable(fault))
            }
            state = .awaitingConfirmation(device, password)
            return .confirm(device.policy)
        }
        guard case .awaitingConfirmation(let device, let chosen) = state else { return nil }
        guard chosen.secret.equals(password.secret) else {
            state = .awaitingPassword(device)
            return .enroll(device.policy, rejection: .confirmationDiffers)
        }
        state = .awaitingStorage(device, chosen)
        return .store
    }

    /// Records that the device was stored durably.
    mutating func stored() -> Action? {
        guard case .awaitingStorage(let device, _) = state else { return nil }
        state = .awaitingProof(device.secrets.passwordInstance)
        return .prove
    }

    /// Takes the secret that the password of an interrupted activation unwraps.
    mutating func recalled(_ secret: SymmetricKey) -> Action? {
        guard case .awaitingRecall = state else { return nil }
        state = .awaitingProof(secret)
        return .prove
    }

    /// Takes the platform's acceptance of step 3 or 4.
    ///
    /// - Parameter receipt: The hash of its signed answer.
    mutating func accepted(receipt: [UInt8]) -> Action? {
        if case .awaitingProof = state {
            state = .awaitingCompletion
            return .complete(receipt: receipt)
        }
        guard case .awaitingCompletion = state else { return nil }
        return finish(.activated)
    }

    /// Takes the platform's refusal of step 3 or 4, from under its seal.
    mutating func refused(_ refusal: ChannelRefusal) -> Action? {
        if case .awaitingProof = state {
            guard refusal.code == .wrongPassword else { return finish(End(refusal)) }
            // With the last try the platform has dropped the pending device. It would not know the next request.
            guard refusal.remainingTries != 0 else { return finish(.dropped(OrchestrationError(.userLocked, refusal))) }
            state = .awaitingRecall
            return .recall(rejection: .wrongPassword(remainingTries: refusal.remainingTries))
        }
        guard case .awaitingCompletion = state else { return nil }
        // In step 4 the platform permits everything but one device too many.
        guard refusal.code != .notPermitted else {
            return finish(.ended(OrchestrationError(.deviceLimitReached, refusal)))
        }
        return finish(End(refusal))
    }

    private mutating func confirm(_ offer: Offer, _ reply: Envelope) -> Action? {
        switch try? offer.initiator.reply(in: reply) {
        case nil: return nil
        case .refusal(let reason): return finish(End(unauthenticated: reason))
        case .answer(let answer):
            do throws(SecureChannelError) {
                let session = try offer.initiator.receive(answer)
                state = .awaitingDeviceKey(Exchange(session, offer.description))
                return .makeDeviceKey
            } catch {
                return finish(error.code == .wrongActivationPassword ? .notConfirmed : .failed(.invalidAnswer))
            }
        }
    }

    private mutating func provision(
        _ exchange: Exchange, _ registration: DeviceRegistration, _ reply: Envelope
    ) -> Action? {
        switch try? exchange.session.reply(in: reply) {
        case nil: return nil
        // Both sides have proven the activation password, so the platform refuses a session that it has dropped.
        case .refusal(.refused): return finish(.ended(OrchestrationError(.exchangeExpired)))
        case .refusal(let reason): return finish(End(unauthenticated: reason))
        case .answer(let answer):
            guard let provisioning = try? exchange.session.open(answer) else { return nil }
            let secrets = exchange.session.secrets(registration: registration, provisioning: provisioning)
            let suite = exchange.session.suite
            guard
                let device = ActivatedDevice(
                    suite: suite, capabilities: exchange.session.capabilities, provisioning: provisioning,
                    secrets: secrets)
            else {
                return finish(.failed(.invalidAnswer))
            }
            state = .awaitingPassword(device)
            return .enroll(device.policy, rejection: nil)
        }
    }

    private mutating func finish(_ end: End) -> Action {
        state = .finished
        return .finish(end)
    }
}

/// The device's half of the key exchange. Step 1 was sent.
private final class Offer {
    let initiator: ActivationInitiator
    let description: DeviceDescription

    init(_ initiator: consuming ActivationInitiator, _ description: DeviceDescription) {
        self.initiator = initiator
        self.description = description
    }
}

/// The finished key exchange. The platform has proven that it knows the activation password.
private final class Exchange {
    var session: ActivationSession
    let description: DeviceDescription

    init(_ session: consuming ActivationSession, _ description: DeviceDescription) {
        self.session = session
        self.description = description
    }
}

/// The description of the device that step 2 sends.
private struct DeviceDescription {
    /// At most 64 bytes of UTF-8.
    let name: String
    let random: any RandomSource

    func registration(deviceKey: [UInt8]) -> DeviceRegistration {
        // The methods that every device can prove: possession and the password.
        let methods: [AuthenticationMethod] = [.possession, .password]
        return DeviceRegistration(
            deviceKey: deviceKey, clientRandom: random.bytes(32), deviceName: name, sdkVersion: PackageVersion.text,
            methods: methods.map { UInt64($0.rawValue) })
    }
}
