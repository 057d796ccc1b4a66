package import Primitives

extension Users {
    /// An entry of the list of users: a record in the store with its description.
    public struct Entry: Sendable, Hashable {
        /// The description of the user; `nil` when the record cannot be read.
        public let information: UserInformation?

        /// The reason why the record cannot be read; `nil` for a record that can be read.
        ///
        /// For `storeLocked` and `storeBusy`, try again later; for `storeNewerVersion`, update the app. In the other
        /// cases, offer to delete the record with ``Users/delete(_:)`` and to activate again.
        public let error: OrchestrationError?

        /// The name of the record in the store. It is derived from the account and does not reveal it.
        package let storeName: StoreName

        /// The account; `nil` when the record cannot be read.
        package var account: AccountName? { information?.account }

        init(_ record: UserRecord, name: StoreName) {
            information = UserInformation(record)
            error = nil
            storeName = name
        }

        init(unreadable name: StoreName, _ error: OrchestrationError) {
            information = nil
            self.error = error
            storeName = name
        }
    }
}
