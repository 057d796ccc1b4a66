package import Crypto
package import OrchestrationProtocol
package import Primitives

/// The state of one activated user on the device.
///
/// A thief who has the record, even with the device key, must not be able to test a guess of the password. The record
/// therefore never holds a hash, length or check value of the password; anything that is encrypted or authenticated
/// under a key made from K₁; a code that was shown; or a count of failures. A new field must keep this property.
package struct UserRecord: Sendable {
    /// The progress of the activation.
    package enum State: Sendable, Hashable {
        /// The password is chosen. The platform does not have a proof of it yet.
        case pending
        /// The platform has a proof of the password, and has signed a receipt with this hash (32 bytes).
        case passwordProven(receiptHash: [UInt8])
        /// The activation is finished.
        case active
        /// The record can no longer be used. The user has to be activated again.
        case locked(LockReason)
    }

    package var account: AccountName
    package var tenant: String
    package var state = State.pending

    /// The id of the device at the platform, 16 bytes.
    package var deviceID: [UInt8]

    /// The serial numbers of the two instances, the password instance first.
    package var serials: [String]

    /// The handle of the activation password, 15 bits. It distinguishes a flow that resumes from one with a new
    /// activation password.
    package var activationHandle: UInt16

    /// The time at which the platform drops an activation that is not finished, by the platform's clock.
    package var pendingUntil: Timestamp

    /// The time at which the activation was finished, by the platform's clock.
    package var activatedAt: Timestamp?

    /// The number of the channel's suite, 1 or 2. It is never lowered.
    package var suite: UInt8

    /// The pre-shared key that authenticates the channel in both directions, 32 bytes.
    package var presharedKey: SymmetricKey

    /// The latest statement of the platform's keys that the device has verified.
    package var platformKeys: KeyStatement

    /// The COSE algorithm number of the device key.
    package var keyAlgorithm = COSEAlgorithm.esp256

    /// C, the secret K₁ under the password, 32 bytes. See ``PasswordMask``.
    package var maskedSecret: [UInt8]

    /// The salt of the wrap, 32 bytes.
    package var salt: [UInt8]

    /// The cost of the wrap.
    package var cost: ScryptCost

    /// The number of changes of the password.
    package var generation: UInt64 = 0

    /// K₂n, the secret of the possession instance, 32 bytes.
    package var possessionSecret: SymmetricKey

    /// D, the state of the key ratchet at ``ratchetIndex``, 32 bytes.
    package var ratchet: SymmetricKey

    package var ratchetIndex: UInt64 = 0

    /// a, the input of the device for the next state of the ratchet, 32 bytes; `nil` while none was sent.
    package var ratchetInput: SymmetricKey?

    /// The time at which the ratchet reached its index, by this device's clock.
    package var ratchetMovedAt: Timestamp

    /// The policy under which the password was chosen.
    ///
    /// The SDK refuses an input of another form before it is used. A policy that the platform changes later must
    /// therefore not replace this one before the user has chosen a new password.
    package var pinPolicy: PINPolicy

    /// The platform's policy for a new password; `nil` while it is ``pinPolicy``.
    package var nextPINPolicy: PINPolicy?

    /// The crypto applications of the instances, at most eight.
    package var applications: [CryptoApplication]

    /// The numbers of the capabilities that both the device and the platform have, ascending.
    package var capabilities: [UInt64]

    /// The next counter of each application that has one. It is stored before a code is shown.
    package var counters: [UInt8: UInt64] = [:]

    /// The counters of the latest synchronization that the platform has accepted.
    package var synchronizedCounters: [UInt8: UInt64] = [:]

    /// The platform's clock minus this device's, in milliseconds.
    package var clockOffset: Int64 = 0

    /// The address that is registered with the platform for notifications, at most 1,024 bytes of UTF-8.
    package var notificationIdentifier: String?

    /// The signed answers to approval requests whose receipt the device does not have, at most
    /// ``PendingAnswer/maximumCount``, each request once.
    package var pendingAnswers: [PendingAnswer] = []

    /// The enrolled methods, by ascending number, each at most once.
    package var enrolledMethods: [EnrolledMethodKey] = []
    /// The device data that was sent.
    package var deviceData = SentDeviceData()

    /// The notices of the account, by ascending number, at most ``AccountNotice/maximumCount``.
    package var notices: [AccountNoticeForm] = []

    /// The locked device that this activation replaces, 16 bytes; `nil` for none, and once the activation is finished.
    package var replacedDevice: [UInt8]?

    /// The fields that a newer version has written and this one does not know. They are written again unchanged.
    package var unknownFields: [UnknownField] = []
}

extension UserRecord: Redacted {
    /// The text `user record`, for every record.
    package var description: String { "user record" }
}
