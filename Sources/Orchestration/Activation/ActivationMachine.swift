internal import Crypto
internal import Primitives
internal import SecureChannel
internal import Wire

/// An activation as a machine: answers and passwords go in, what to do next comes out (PROTOCOL §2, requirement D6).
///
/// It does no I/O, reads no clock and asks nobody. Its secrets live as long as it does. An input that does not belong
/// to the state is ignored: replies come late, twice and from strangers.
struct ActivationMachine: ~Copyable {
    /// `nil` when the activation is over, and inside a transition.
    private var state: State?

    /// What the runner has to do at the start.
    let first: Action

    /// Starts at step 1.
    ///
    /// - Throws: what the key exchange throws on arguments of ours that are out of range; nothing a peer can cause.
    init(
        code: borrowing ActivationPassword, account: AccountName, tenant: String, suites: [Suite],
        description: DeviceDescription, random: any RandomSource
    ) throws {
        let initiator = try ActivationInitiator(
            secret: code.secret, handle: code.handle, account: account, tenant: tenant, suites: suites,
            capabilities: [], random: random)
        first = .send(initiator.command, step: 1)
        state = .awaitingAnswer(AwaitingAnswer(initiator: initiator, description: description, random: random))
    }

    /// Goes on where the store says that an activation was interrupted.
    ///
    /// - Parameter receipt: the hash of the receipt of step 3, if that came.
    init(resumingWith receipt: [UInt8]?) {
        if let receipt {
            first = .complete(receipt: receipt)
            state = .awaitingReceipt
        } else {
            first = .recall(rejection: nil, remainingTries: nil)
            state = .awaitingRecall
        }
    }

    /// What came in answer to step 1 or 2.
    mutating func receive(_ answer: OrchestrationCommand) -> Action {
        guard let envelope = try? Envelope(decoding: answer), let current = state.take() else { return .ignore }
        switch consume current {
        case .awaitingAnswer(let waiting): return opened(waiting, envelope)
        case .awaitingKeys(let waiting): return provisioned(waiting, envelope)
        case let other:
            state = consume other
            return .ignore
        }
    }

    /// The public half of the device key, 33 bytes.
    mutating func register(deviceKey: [UInt8]) -> Action {
        guard let current = state.take() else { return .ignore }
        switch consume current {
        case .awaitingDeviceKey(var waiting):
            let registration = waiting.description.registration(deviceKey: deviceKey, random: waiting.random)
            guard let command = try? waiting.session.seal(registration) else { return .finish(.failed(.internal)) }
            state = .awaitingKeys(AwaitingKeys(asked: waiting, registration: registration))
            return .send(command, step: 2)
        case let other:
            state = consume other
            return .ignore
        }
    }

    /// The password that the user chose, or its confirmation.
    mutating func enter(_ password: SecretBox<Password>) -> Action {
        guard let current = state.take() else { return .ignore }
        switch consume current {
        case .awaitingPassword(var device):
            if let fault = password.secret.fault(under: device.policy) {
                state = .awaitingPassword(device)
                return .enroll(device.policy, rejection: .unsuitable(fault))
            }
            device.password = password
            state = .awaitingConfirmation(device)
            return .confirm(device.policy)
        case .awaitingConfirmation(var device):
            guard let chosen = device.password, chosen.secret.equals(password.secret) else {
                device.password = nil
                state = .awaitingPassword(device)
                return .enroll(device.policy, rejection: .confirmationDiffers)
            }
            state = .awaitingStorage(device)
            return .store(device)
        case let other:
            state = consume other
            return .ignore
        }
    }

    /// The device is in the store, durably.
    mutating func stored() -> Action {
        guard let current = state.take() else { return .ignore }
        switch consume current {
        case .awaitingStorage(let device):
            state = .awaitingProof
            return .prove(device.secrets.passwordInstance)
        case let other:
            state = consume other
            return .ignore
        }
    }

    /// The secret of instance 1 as the password unwraps it: whether that was the right one, the platform says.
    mutating func recalled(_ secret: SymmetricKey) -> Action {
        guard let current = state.take() else { return .ignore }
        switch consume current {
        case .awaitingRecall:
            state = .awaitingProof
            return .prove(secret)
        case let other:
            state = consume other
            return .ignore
        }
    }

    /// The platform took the proof of step 3.
    ///
    /// - Parameter receipt: the hash of its signed answer.
    mutating func proven(receipt: [UInt8]) -> Action {
        guard let current = state.take() else { return .ignore }
        switch consume current {
        case .awaitingProof:
            state = .awaitingReceipt
            return .complete(receipt: receipt)
        case let other:
            state = consume other
            return .ignore
        }
    }

    /// The platform took the proof of step 4.
    mutating func completed() -> Action {
        guard let current = state.take() else { return .ignore }
        switch consume current {
        case .awaitingReceipt:
            return .finish(.activated)
        case let other:
            state = consume other
            return .ignore
        }
    }

    /// The platform refused step 3 or 4 under its seal.
    mutating func refused(_ refusal: ChannelRefusal) -> Action {
        guard let current = state.take() else { return .ignore }
        switch consume current {
        case .awaitingProof:
            guard refusal.isWrongPassword else { return .finish(ActivationEnd(refusal)) }
            // With the last try the platform has dropped the pending device; it would not know the next request.
            guard refusal.remainingTries != 0 else { return .finish(.dropped(.locked)) }
            state = .awaitingRecall
            return .recall(rejection: .wrongPassword, remainingTries: refusal.remainingTries)
        case .awaitingReceipt:
            return .finish(ActivationEnd(refusal))
        case let other:
            state = consume other
            return .ignore
        }
    }

    private mutating func opened(_ waiting: consuming AwaitingAnswer, _ envelope: Envelope) -> Action {
        switch try? waiting.initiator.reply(in: envelope) {
        case nil:
            state = .awaitingAnswer(waiting)
            return .ignore
        case .refusal(let reason):
            return .finish(ActivationEnd(reason))
        case .answer(let answer):
            do throws(SecureChannelError) {
                let session = try waiting.initiator.receive(answer)
                state = .awaitingDeviceKey(
                    AwaitingDeviceKey(
                        session: session, description: waiting.description, random: waiting.random))
                return .makeDeviceKey
            } catch {
                return .finish(error.code == .wrongCode ? .codeNotConfirmed : .failed(.invalidAnswer))
            }
        }
    }

    private mutating func provisioned(_ waiting: consuming AwaitingKeys, _ envelope: Envelope) -> Action {
        let reply = try? waiting.asked.session.reply(in: envelope)
        if case .refusal(let reason) = reply { return .finish(AwaitingKeys.end(reason)) }
        guard case .answer(let answer) = reply, let provisioning = try? waiting.asked.session.open(answer) else {
            state = .awaitingKeys(waiting)
            return .ignore
        }
        guard let device = waiting.device(provisioning) else { return .finish(.failed(.invalidAnswer)) }
        state = .awaitingPassword(device)
        return .enroll(device.policy, rejection: nil)
    }
}
