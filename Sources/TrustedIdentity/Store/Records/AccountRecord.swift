package import Primitives

/// The row of an account.
package struct AccountRecord: VersionedRecord, Hashable {
    /// `user@domain`, normalized; the key.
    package var name: String
    /// The time of the first registration.
    package var createdAt: Timestamp
    /// The latest registration.
    package var registrationID: String
    /// The time when a device of the latest registration became active; nil until then.
    package var activatedAt: Timestamp?
    /// The time when a device of the latest registration first registered a notification channel; nil until then.
    package var finishedAt: Timestamp?
    /// The verifier of the static password, sealed; nil if there is none.
    package var staticPassword: SealedValue?
    /// The epoch of the platform at the latest registration.
    package var registrationEpoch: Int64 = 0
    /// The epoch of the platform when the static password was set or its suspension was last lifted.
    package var staticPasswordEpoch: Int64 = 0
    /// The random value that stands for the account in the audit log, 16 bytes. An account that is removed and
    /// registered again has another one.
    package var subject: [UInt8]?
    /// The number of updates.
    package var version: Int64 = 0
}

/// The latest activation password of an account. There is one row for each account at most.
package struct ActivationPasswordRecord: VersionedRecord, Hashable {
    /// `user@domain`, normalized; the key.
    package var account: String
    /// The registration that created it; for a move, the registration of the device that moves.
    package var registrationID: String
    /// The serial number for the authenticator that it activates.
    package var serialNumber: String
    /// The first three characters, 15 bits. They identify the activation password and are not secret.
    package var handle: UInt16
    /// The eight secret characters, sealed; nil once the activation password is spent or expired.
    package var secret: SealedValue?
    /// The time of its creation.
    package var createdAt: Timestamp
    /// The time from which no exchange starts with it.
    package var expiresAt: Timestamp
    /// The number of tries that are spent.
    package var tries: Int = 0
    /// The time when an activation with it was completed, or when the device that moves was revoked; nil until then.
    package var spentAt: Timestamp?
    /// The id of the device that moves, 16 bytes; nil for the activation password of a registration.
    package var movedDevice: [UInt8]?
    /// The number of updates.
    package var version: Int64 = 0
}
