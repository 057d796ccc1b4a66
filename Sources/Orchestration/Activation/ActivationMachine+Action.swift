internal import Crypto
internal import Wire

extension ActivationMachine {
    /// What the runner has to do next.
    enum Action: Sendable {
        /// Send the command and give what comes to ``receive(_:)``. After a lost answer send it again as it is.
        case send(OrchestrationCommand, step: Int)
        /// What came does not belong here: treat it as lost.
        case ignore
        /// Make a device key and give its public half to ``register(deviceKey:)``.
        case makeDeviceKey
        /// Ask for a new password.
        case enroll(PINPolicy, rejection: InputRejection?)
        /// Ask for the new password again.
        case confirm(PINPolicy)
        /// Write the device down as pending, durably, then call ``stored()``.
        case store(ActivatedDevice)
        /// Ask for the password of an interrupted activation; give the unwrapped secret to ``recalled(_:)``.
        case recall(rejection: InputRejection?, remainingTries: Int?)
        /// Prove the secret of instance 1 (step 3); report with ``proven(receipt:)`` or ``refused(_:)``.
        case prove(SymmetricKey)
        /// Prove the secret of instance 2 (step 4); report with ``completed()`` or ``refused(_:)``.
        case complete(receipt: [UInt8])
        /// The activation is over.
        case finish(ActivationEnd)
    }

    /// What the machine waits for.
    enum State: ~Copyable {
        case awaitingAnswer(AwaitingAnswer)
        case awaitingDeviceKey(AwaitingDeviceKey)
        case awaitingKeys(AwaitingKeys)
        case awaitingPassword(ActivatedDevice)
        case awaitingConfirmation(ActivatedDevice)
        case awaitingStorage(ActivatedDevice)
        case awaitingRecall
        case awaitingProof
        case awaitingReceipt
    }
}
