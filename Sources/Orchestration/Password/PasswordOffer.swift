internal import Crypto
internal import OrchestrationProtocol
internal import Primitives

/// The secret of a later generation of the password, as the platform has offered it to a device.
///
/// A password change and an unlock use an offer in the same way. The device has the secret in memory only, until it is
/// wrapped under the new password.
struct PasswordOffer: Sendable {
    let deviceID: [UInt8]
    /// The generation of the password when the device asked.
    let previousGeneration: UInt64
    /// The generation of the new password.
    let generation: UInt64
    /// K₁ of that generation.
    let secret: SymmetricKey
    /// The rules for the new password.
    let policy: PINPolicy
    /// Whether the new password ends a lock after wrong passwords.
    let unlocks: Bool

    init(
        to record: UserRecord, generation: UInt64, secret: SymmetricKey, policy: PINPolicy, unlocks: Bool = false
    ) {
        deviceID = record.deviceID
        previousGeneration = record.generation
        self.generation = generation
        self.secret = secret
        self.policy = policy
        self.unlocks = unlocks
    }
}

extension ChannelSession {
    /// Sends a message with a proof of the password, for the device and the generation that the secret belongs to.
    ///
    /// - Parameter unlocks: Whether a device that is locked after wrong passwords may send the message, and an accepted
    ///   proof ends the lock.
    func exchange(
        _ body: RequestBody, proving secret: SymmetricKey, generation: UInt64, of deviceID: [UInt8],
        unlocks: Bool = false
    ) async throws -> ChannelReply {
        try await exchange(
            { record in
                try record.requirePassword(of: generation, on: deviceID, unlocks: unlocks)
                return body
            },
            proof: { _ in ChannelProof(password: secret, generation: generation) }, allowsLocked: unlocks
        ) { record, _ in
            if unlocks, record.generation == generation, record.state == .locked(.wrongPassword) {
                record.state = .active
            }
        }
    }

    /// Asks for a new password and its confirmation, and stores the secret of an offer under it.
    ///
    /// One atomic write replaces the wrap, its generation and its policy. Nothing is written if another change happened
    /// meanwhile. A lock stays until the platform has accepted the proof of the new password.
    ///
    /// - Parameter present: The password that the new one must differ from.
    /// - Returns: The stored record.
    func choosePassword(
        for offer: PasswordOffer, unlike present: SecretBox<Password>? = nil, _ events: FlowEvents
    ) async throws -> UserRecord {
        let password = try await environment.newPassword(
            of: account, for: (.update, .confirmUpdate), policy: offer.policy, unlike: present, events)
        // A newer flow may have begun meanwhile.
        try await events.send([])
        guard let (record, key) = try await environment.vault.open(account) else {
            throw OrchestrationError(.notActivated)
        }
        try record.requireUnchanged(since: offer)
        let (salt, cost) = (environment.random.bytes(32), environment.configuration.passwordCost)
        let masked = try await PasswordMask.mask(
            secret: offer.secret, password: password.secret, salt: salt, cost: cost,
            deviceSecret: key.secret(.password))
        do {
            return try await environment.vault.update(account, expecting: key) { record in
                try record.requireUnchanged(since: offer)
                record.maskedSecret = masked
                record.salt = salt
                record.cost = cost
                record.generation = offer.generation
                record.pinPolicy = offer.policy
                record.nextPINPolicy = nil
                return record
            }.result
        } catch let error as OrchestrationError {
            // A store may report a failure after the write took effect. The user then has the new password.
            guard let stored = try? await environment.vault.record(account), stored.deviceID == offer.deviceID,
                stored.generation == offer.generation, stored.maskedSecret == masked
            else { throw error }
            return stored
        }
    }
}

extension UserRecord {
    /// Checks that the record belongs to a device and a generation of the password.
    ///
    /// - Parameter unlocks: Whether the record may be locked after wrong passwords.
    /// - Throws: `notActivated` for another device, the code of a lock, `passwordChanged` for another generation.
    func requirePassword(
        of generation: UInt64, on deviceID: [UInt8], unlocks: Bool
    ) throws(OrchestrationError) {
        guard self.deviceID == deviceID else { throw OrchestrationError(.notActivated) }
        if unlocks { try requireUnlockable() } else { try requireActive() }
        guard self.generation == generation else { throw OrchestrationError(.passwordChanged) }
    }

    /// Checks that the record is the one that an offer was made for.
    func requireUnchanged(since offer: PasswordOffer) throws(OrchestrationError) {
        try requirePassword(of: offer.previousGeneration, on: offer.deviceID, unlocks: offer.unlocks)
    }
}
