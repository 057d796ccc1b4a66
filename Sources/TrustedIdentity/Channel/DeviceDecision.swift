internal import Primitives
internal import Wire

/// What the platform does about a device's request: a row, an answer, and what goes with them in one transaction.
struct DeviceDecision: Sendable, Equatable {
    /// What becomes of the device's row.
    enum Fate: Sendable, Equatable {
        /// It stays, as ``DeviceDecision/device`` says.
        case stays
        /// It ends, with this reason in the audit log.
        case ends(reason: String)
    }

    /// What else happens.
    enum Effect: Sendable, Equatable {
        /// The code of the registration is burned, and the account is activated.
        case completeActivation
        /// The answer is a receipt of step 3: its hash is remembered.
        case rememberReceipt
        /// The device's counters go up to these.
        case raiseCounters([ApplicationCounter])
        /// The user is told how many typed codes failed.
        case tellFailures
    }

    /// The row as it becomes; its ratchet's key is moved where ``RatchetState/confirmed`` moved.
    var device: DeviceRecord
    var fate = Fate.stays
    var result: AnswerResult
    /// Where the answer tells the device to move.
    var moveTo: UInt64
    var effects: [Effect] = []
    var event: AuditEvent?
    var reason = ""
}
