package import Primitives

/// The state of a device. The database has the raw values.
public enum DeviceState: String, Sendable, Hashable, CaseIterable, Codable {
    /// Keys are exchanged. Only steps 3 and 4 of the activation are answered, and only for 30 minutes.
    case pending
    /// Activated, and its codes are accepted. It has no notification identifier yet.
    case pendingNotification
    /// Activated, with a notification identifier.
    case active
    /// Only its own deletion is answered.
    case locked
    /// Every request is refused, and its keys are erased.
    case revoked
}

/// An activation on one device, pending or complete: its instances and one device key.
package struct DeviceRecord: VersionedRecord, Hashable {
    /// The device id, 16 bytes; the key.
    package var id: [UInt8]
    /// The account that the device belongs to.
    package var account: String
    /// The registration whose activation password activated it.
    package var registrationID: String
    /// The serial number of the registration.
    package var serialNumber: String
    /// The state.
    package var state: DeviceState = .pending
    /// The reason of the lock; nil if it is not locked.
    package var lockReason: LockReason?
    /// The state to return to when a lock is lifted; nil if it is not locked.
    package var stateBeforeLock: DeviceState?
    /// The time when the key exchange began.
    package var createdAt: Timestamp
    /// The time until which a pending device may complete its activation.
    package var pendingUntil: Timestamp
    /// The time when the activation was completed.
    package var activatedAt: Timestamp?
    /// The time when it was revoked.
    package var revokedAt: Timestamp?
    /// The name that the device gave itself.
    package var name: String
    /// The version of the SDK that activated it.
    package var sdkVersion: String
    /// The codes of the methods that the device announced.
    package var methods: [UInt64]
    /// The public device key: P-256, compressed, 33 bytes.
    package var deviceKey: [UInt8]
    /// The COSE number of the algorithm of the device key: -9 for ESP256.
    package var deviceKeyAlgorithm: Int64 = -9
    /// The best suite that the device ever used. Lower ones are refused.
    package var suite: UInt8
    /// The address for notifications. It authorizes nothing.
    package var notificationIdentifier: String?
    /// The methods that the user has enrolled on the device, by ascending number, each at most once; empty once
    /// revoked.
    package var enrolledMethods: [EnrolledMethod] = []
    /// K₁, K₂n, the pre-shared key of the channel, the secrets of the enrolled methods and K₁ of the open offers, sealed;
    /// nil once revoked.
    package var secrets: SealedValue?
    /// The keys of the ratchet at the confirmed index and at the one before, and the inputs for the offered one, sealed;
    /// nil once revoked.
    package var ratchet: SealedValue?
    /// The pre-shared key of the channel of a revoked device, sealed. Refusals of its requests are sealed with it; nil
    /// before.
    package var channelKey: SealedValue?
    /// The confirmed ratchet index. Below 2^63.
    package var ratchetIndex: UInt64 = 0
    /// The highest index offered: the confirmed one or the next. Below 2^63.
    package var offeredIndex: UInt64 = 0
    /// The time when the confirmed index was confirmed.
    package var promotedAt: Timestamp
    /// The generation of the password that was last proven. Below 2^63.
    package var generation: UInt64 = 0
    /// The highest generation that was ever offered. Below 2^63.
    package var offeredGeneration: UInt64 = 0
    /// The number of consecutive wrong passwords that came with a valid device signature.
    package var passwordFailures: Int = 0
    /// The time at which all wrong passwords that were counted are dropped; nil for none. No right one ends it.
    package var failuresEndAt: Timestamp?
    /// SHA-256 of the latest receipts of step 3, 32 bytes each, at most four; empty until the password was proven.
    package var receiptHashes: [UInt8] = []
    /// The number of the latest key statement that the device confirmed; 0 for none. Below 2^63.
    package var keyStatement: UInt64 = 0
    /// The numbers of the capabilities that were agreed on last, ascending.
    package var capabilities: [UInt64] = []
    /// Whether the device has not synchronized since a restore. A device of an earlier epoch has not, either.
    package var isRestored: Bool = false
    /// The epoch of the platform when the device was made, or when it last synchronized or its suspension was lifted.
    package var epoch: Int64 = 0
    /// The time when a request of the device was last accepted.
    package var lastSeenAt: Timestamp?
    /// The number of updates.
    package var version: Int64 = 0
}

/// The codes of one instance of a device, for one crypto application, that are used up.
package struct CodeCounterRecord: Sendable, Hashable {
    /// The device id, 16 bytes.
    package var device: [UInt8]
    /// The instance whose codes are counted.
    package var instance: Instance
    /// The crypto application index, 1…8.
    package var application: UInt8
    /// The lowest counter (HOTP) or time step (TOTP) that may still be accepted. Below 2^63.
    package var next: UInt64 = 0
    /// The time steps that the device's clock is ahead of the platform's, as learned: -2…2.
    package var drift: Int = 0
    /// The lowest ratchet index whose codes may still be accepted. Below 2^63. It rises when a lift sets a
    /// counter back that is ahead of the clock: codes that were accepted meanwhile are never accepted again.
    package var firstIndex: UInt64 = 0
}

/// The answer to a request of a device, or the refusal of one that had no effect.
///
/// A repeated request gets the bytes of the answer again, or the same refusal, and has no second effect.
package struct ReplayRecord: Sendable, Hashable {
    /// A refusal of a request before anything of it was decided.
    package struct Refusal: Sendable, Hashable {
        /// The code of the refusal on the wire. Below 2^63.
        package var code: UInt64
        /// The time after which the device may ask again, in milliseconds; nil if there is none. Below 2^63.
        package var retryAfter: UInt64?
    }

    /// The device id, 16 bytes.
    package var device: [UInt8]
    /// The request id, 16 bytes.
    package var request: [UInt8]
    /// SHA-256 of the bytes of the request.
    package var requestHash: [UInt8]
    /// The sealed answer; empty for a refusal, which is sealed anew for each repeat.
    package var answer: [UInt8]
    /// The refusal; nil for an answer.
    package var refusal: Refusal?
    /// The time until which the row is kept.
    package var keptUntil: Timestamp
}
