package import Crypto
package import Primitives

/// What the device keeps of one activated user.
///
/// Not in here, and not anywhere on the device: a hash, length or check value of the password; anything encrypted or
/// authenticated under a key made from K₁; a code that was shown; a count of failures (PROTOCOL §3). Whoever adds a
/// field makes sure that it stays so.
package struct UserRecord: Sendable {
    /// How far the activation is.
    package enum State: Sendable, Hashable {
        /// The password was chosen; the platform does not know it yet.
        case pending
        /// The platform knows the password, and signed a receipt with this hash (32 bytes).
        case passwordProven(receiptHash: [UInt8])
        /// Everything can be used.
        case active
        /// Nothing can be used.
        case locked(LockReason)
    }

    package var account: AccountName
    package var tenant: String
    package var state: State

    /// The id of the device at the platform, 16 bytes.
    package var deviceID: [UInt8]

    /// The serial numbers of the two instances, that of the password first.
    package var serials: [String]

    /// The handle of the activation password, 15 bits: tells a run that resumes from one with a new code.
    package var activationHandle: UInt16

    /// When the platform gives up an activation that was not finished; by the platform's clock.
    package var pendingUntil: Timestamp

    /// When the activation was finished; by the platform's clock.
    package var activatedAt: Timestamp?

    /// The number of the channel's suite: 1 or 2. Never lowered.
    package var suite: UInt8

    /// Authenticates the channel in both directions, 32 bytes.
    package var presharedKey: SymmetricKey

    package var signingKey: PlatformSigningKey

    /// One at least; the first one of ``suite`` is used.
    package var sealingKeys: [PlatformSealingKey]

    /// C = K₁ under the password, 32 bytes. See ``PasswordMask``.
    package var maskedSecret: [UInt8]

    /// The salt of the wrap, 32 bytes.
    package var salt: [UInt8]

    /// The cost of the wrap.
    package var cost: ScryptCost

    /// How often the password was changed.
    package var generation: UInt64

    /// K₂n, the secret of the instance for no method, 32 bytes.
    package var possessionSecret: SymmetricKey

    /// D at ``ratchetIndex``, 32 bytes.
    package var ratchet: SymmetricKey

    package var ratchetIndex: UInt64

    package var pinPolicy: PINPolicy

    /// What the instances make, at most eight.
    package var applications: [CryptoApplication]

    /// The next counter of each application that has one: it is moved here before a code is shown.
    package var counters: [UInt8: UInt64]

    /// The platform's clock minus this device's, in milliseconds.
    package var clockOffset: Int64

    /// What is registered with the platform for notifications, at most 1,024 bytes of UTF-8.
    package var notificationIdentifier: String?

    package init(
        account: AccountName, tenant: String, state: State = .pending, deviceID: [UInt8], serials: [String],
        activationHandle: UInt16, pendingUntil: Timestamp, activatedAt: Timestamp? = nil, suite: UInt8,
        presharedKey: SymmetricKey, signingKey: PlatformSigningKey, sealingKeys: [PlatformSealingKey],
        maskedSecret: [UInt8], salt: [UInt8], cost: ScryptCost, generation: UInt64 = 0,
        possessionSecret: SymmetricKey,
        ratchet: SymmetricKey, ratchetIndex: UInt64 = 0, pinPolicy: PINPolicy, applications: [CryptoApplication],
        counters: [UInt8: UInt64] = [:], clockOffset: Int64 = 0, notificationIdentifier: String? = nil
    ) {
        self.account = account
        self.tenant = tenant
        self.state = state
        self.deviceID = deviceID
        self.serials = serials
        self.activationHandle = activationHandle
        self.pendingUntil = pendingUntil
        self.activatedAt = activatedAt
        self.suite = suite
        self.presharedKey = presharedKey
        self.signingKey = signingKey
        self.sealingKeys = sealingKeys
        self.maskedSecret = maskedSecret
        self.salt = salt
        self.cost = cost
        self.generation = generation
        self.possessionSecret = possessionSecret
        self.ratchet = ratchet
        self.ratchetIndex = ratchetIndex
        self.pinPolicy = pinPolicy
        self.applications = applications
        self.counters = counters
        self.clockOffset = clockOffset
        self.notificationIdentifier = notificationIdentifier
    }
}

extension UserRecord: Redacted {
    /// Always the same words.
    package var description: String { "user record" }
}
