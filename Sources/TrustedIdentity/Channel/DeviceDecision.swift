internal import Primitives
internal import Wire

/// A request of a device after its seal, its signature and its names were verified.
struct DeviceRequest: Sendable {
    let message: RequestMessage
    let proof: ProofOutcome
    /// The generation of the password that the proof names.
    var proofGeneration: UInt64 = 0
    let now: Timestamp
    /// The number of other activated devices of the account.
    let otherDevices: Int
    /// Whether the device is suspended since a restore.
    let isSuspended: Bool
    /// The number of wrong passwords in a row that locks the device.
    let tries: Int
    /// The capabilities of the platform.
    let capabilities: Set<Capability>
    /// The input of a message about approvals.
    var approval = ApprovalInput.none
    /// The device data, as a policy reads them.
    var deviceData = KnownDeviceData.none
    /// The time of the latest restore; `nil` if there was none.
    var restoredAt: Timestamp?
    /// A random token for a stream of notifications, 16 bytes.
    var streamToken: [UInt8] = []
    /// The registration of a method; `nil` for another request, and for one whose key has not signed it.
    var methodRegistration: MethodRegistrationInput?
    /// Whether the policy names development providers.
    var acceptsDevelopmentProviders = false
    /// The offer for a device that changes its password; `nil` for a request that asks for none, or with a wrong proof.
    var passwordOffer: PasswordChangeMessage.Answer?
    /// Whether the request has derived so many states of the key ratchet that it may not derive those to its index.
    var isRatchetSpent = false
}

/// The result of the check of the proof beside a request.
enum ProofOutcome: Sendable, Hashable {
    /// The request has no proof.
    case absent
    /// The proof was made with the secret of this instance, at the ratchet index of the request.
    case right(Instance)
    /// The proof was made with another secret.
    case wrong(Instance)
    /// The proof is of a generation that the platform never offered.
    case otherGeneration
    /// The proof is of a generation before that of the platform.
    case outdatedGeneration
}

/// The decision on a request of a device: its row, the answer, and the effects that go with them in one transaction.
struct DeviceDecision: Sendable, Equatable {
    /// The future of the device's row.
    enum Fate: Sendable, Equatable {
        /// The row becomes ``DeviceDecision/device``.
        case stays
        /// The device ends, with this reason in the audit log.
        case ends(reason: String)
    }

    /// A further effect.
    enum Effect: Sendable, Equatable {
        /// The activation password is spent, and the account is activated.
        case completeActivation
        /// The registration of the account is finished: the device has its first notification channel.
        case finishRegistration
        /// The answer is a receipt of step 3, and its hash is remembered.
        case rememberReceipt
        /// The counters of the device rise to these values.
        case raiseCounters([ApplicationCounter])
        /// The answer reports the number of failed codes to the user.
        case reportFailures
        /// A device has fetched an approval request for the first time. The record is the new row.
        case openApproval(ApprovalRecord)
        /// A token that opens a stream of notifications of the device is stored.
        case storeStreamToken(StreamTokenRecord)
        /// The new password was used for the first time, which the audit log names beside the event.
        case recordPasswordChange
    }

    /// The new row. The key of its ratchet is moved where the confirmed index moved.
    var device: DeviceRecord
    var fate = Fate.stays
    var result: AnswerResult
    /// The index that the answer moves the device to.
    var moveTo: UInt64
    var effects: [Effect] = []
    var event: AuditEvent?
    /// The end of an approval request, for which the platform makes a receipt and the result.
    var approvalEnd: ApprovalEnd?
    /// The secret of a method that the device registers, which is sealed in the row.
    var registeredSecret: RegisteredSecret?
    /// The reason in the audit log.
    var reason = ""
    /// The notice of the application server beside a refusal.
    var notice: RefusalNotice?
}
