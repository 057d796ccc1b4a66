internal import OrchestrationProtocol
internal import Primitives

/// The decision on a device request: the device's row, the answer, and the other writes of the same transaction.
struct DeviceDecision: Sendable {
    /// The future of the device's row.
    enum Fate: Sendable, Equatable {
        /// The row becomes ``DeviceDecision/device``.
        case stays
        /// The device ends, with this reason in the audit log.
        case ends(reason: String)
    }

    /// The new row. Its ratchet key is moved if the confirmed index moved.
    var device: DeviceRecord
    var fate = Fate.stays
    var result: AnswerResult
    var event: AuditEvent?
    /// The reason in the audit log.
    var reason = ""
    /// The wrong passwords since the previous right one, which the answer and an event report.
    var failedPasswords = 0
    /// Whether the answer reports the number of failed codes to the user.
    var reportsFailures = false
    /// The application server's notice that accompanies a refusal.
    var notice: RefusalNotice?
    /// The end of an approval request, for which the platform makes a receipt and the result.
    var approvalEnd: ApprovalEnd?
    /// The secret of a method that the device registers, which is sealed in the row.
    var registeredSecret: RegisteredSecret?
    /// The offer of a password change, whose secret is sealed in the row.
    var passwordOffer: PasswordOffer?
    /// The generation that the device has stored, if its request names it. The offer of this generation is not
    /// replaced.
    var storedGeneration: UInt64?
    /// The locked devices of the same account that the activation replaces. They are revoked.
    var replacedDevices: [[UInt8]] = []
    /// The device of the same account that has moved to this one. It is revoked.
    var movedDevice: [UInt8]?
    /// Writes the other rows that the message changes; `nil` for none.
    var write: (@Sendable (StoreTransaction) throws -> Void)?
    /// The approval request that ``write`` changes.
    var changedApproval: [UInt8]?

    /// Whether the answer is a receipt of step 3 of an activation, whose hash the row remembers.
    var isActivationReceipt: Bool { result == .accepted(.activationPassword) }
}
