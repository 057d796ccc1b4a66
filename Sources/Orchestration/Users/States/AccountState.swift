public import Primitives

/// The state of an account on this device. See <doc:AccountStates>.
@nonexhaustive
public enum AccountState: Sendable, Hashable {
    /// This device has no activation of the account.
    case notProvisioned
    /// The activation was started and not finished. ``Orchestrator/resumeActivation(of:domain:registersNotifications:)``
    /// resumes it.
    case pending
    /// The activation is finished, and the device can be used.
    case ready
    /// The platform has locked the device, or the record was found to be a copy. The record stays. After wrong passwords,
    /// ``UserHandle/unlock(with:)-(String)`` unlocks the device. A new activation replaces it; the platform then revokes it
    /// if it is locked there.
    case locked(LockReason)
    /// The platform has revoked the device. The record stays until it is deleted, or until a new activation is finished.
    case deleted
}

extension AccountState {
    init(_ record: UserRecord?) {
        self =
            switch record?.state {
            case nil: .notProvisioned
            case .pending, .passwordProven: .pending
            case .active: .ready
            case .locked(.revoked): .deleted
            case .locked(let reason): .locked(reason)
            }
    }
}

extension UserHandle {
    /// The state of the account on this device, as the latest sealed answer of the platform has shown it.
    ///
    /// The getter throws `invalidUser`, and the errors of the store and the device key.
    public var state: AccountState {
        get async throws { AccountState(try await record) }
    }
}
