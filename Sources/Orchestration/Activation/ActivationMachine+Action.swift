internal import OrchestrationProtocol
internal import Primitives

extension ActivationMachine {
    /// The next operation of the flow.
    enum Action: Sendable, Equatable {
        /// Send the command of step 1 or 2 and pass what comes to ``receive(_:)``. After a lost answer, send it again.
        case send(OrchestrationCommand, step: Int)
        /// Make a device key and pass its public half to ``register(deviceKey:)``.
        case makeDeviceKey
        /// Ask for a new password and pass it to ``enter(_:)``.
        case enroll(PINPolicy, rejection: InputRejection?)
        /// Ask for the new password again and pass it to ``enter(_:)``.
        case confirm(PINPolicy)
        /// Store what is ``chosen`` as pending, durably, and call ``stored()``.
        case store
        /// Ask for the password of an interrupted activation and pass the secret that it unwraps to ``recalled(_:)``.
        case recall(rejection: InputRejection?)
        /// Prove the ``passwordSecret`` (step 3), and call ``accepted(receipt:)`` or ``refused(_:)``.
        case prove
        /// Prove the secret of the other instance (step 4), and call ``accepted(receipt:)`` or ``refused(_:)``.
        case complete(receipt: [UInt8])
        /// End the activation.
        case finish(End)
    }

    /// The end of an activation.
    enum End: Sendable, Hashable {
        case activated
        /// The platform's tag was wrong: the peer does not know the activation password.
        case notConfirmed
        /// The flow ends with the terminal event of the error.
        case ended(OrchestrationError)
        case failed(OrchestrationError.Code)
        /// The platform said under its seal that it has dropped the pending device. The store drops it, too.
        case dropped(OrchestrationError)
    }
}

extension ActivationMachine.End {
    /// The end for a sealed refusal of step 3 or 4.
    init(_ refusal: ChannelRefusal) {
        self =
            switch refusal.code {
            case .pendingExpired, .locked, .revoked: .dropped(refusal.error)
            default: .ended(refusal.error)
            }
    }

    /// The end for a refusal of step 1 or 2, which is not authenticated: it changes nothing that is stored.
    init(unauthenticated reason: ActivationRefusal.Reason) {
        self =
            switch reason {
            case .refused: .ended(OrchestrationError(.activationPasswordNotConfirmed))
            case .deviceLimitReached: .ended(OrchestrationError(.deviceLimitReached))
            default: .failed(.invalidAnswer)
            }
    }
}
