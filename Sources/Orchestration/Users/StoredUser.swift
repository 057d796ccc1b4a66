public import Primitives

/// An entry of the list of users: a record in the store and what is known of it.
public struct StoredUser: Sendable, Hashable {
    /// The state of a user's record.
    @nonexhaustive
    public enum State: Sendable, Hashable {
        /// The activation was started and not finished. ``Orchestrator/resumeActivation(of:domain:)`` resumes it.
        case pending
        /// The activation is finished.
        case active
        /// The platform has locked or revoked the device, or the record was found to be a copy. Activate again.
        case locked
        /// The record cannot be read, for the reason in the error.
        ///
        /// For `storeLocked` and `storeBusy`, try again later; for `storeNewerVersion`, update the app. In the other
        /// cases offer to delete the record with ``Users/delete(_:)`` and to activate again.
        case unreadable(OrchestrationError)
    }

    /// The name of the record in the store. It is derived from the account and does not reveal it.
    public let storeName: StoreName

    /// The state of the record.
    public let state: State

    /// The description of the user; `nil` when the record cannot be read.
    public let information: UserInformation?

    /// The account; `nil` when the record cannot be read.
    ///
    /// To find out whether an unreadable record belongs to an account that the app knows, compare ``storeName`` with
    /// ``UserHandle/storeName``.
    public var account: AccountName? { information?.account }
}

extension StoredUser {
    init(_ record: UserRecord, name: StoreName) {
        let information = UserInformation(record)
        storeName = name
        state =
            switch information.state {
            case .pending: .pending
            case .active: .active
            case .locked: .locked
            }
        self.information = information
    }

    init(unreadable name: StoreName, _ error: OrchestrationError) {
        storeName = name
        state = .unreadable(error)
        information = nil
    }
}
