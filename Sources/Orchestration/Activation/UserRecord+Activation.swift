internal import Crypto
internal import Primitives
internal import SecureChannel
internal import Wire

extension UserRecord {
    /// The record of a device whose password was chosen and is not proven yet.
    init(
        _ device: ActivatedDevice, of account: AccountName, handle: UInt16, password: SecretBox<Password>,
        key: any DeviceKey, clockOffset: Int64, configuration: Configuration, random: any RandomSource
    ) async throws {
        let salt = random.bytes(32)
        let masked = try await PasswordMask.mask(
            secret: device.secrets.passwordInstance, password: password.secret, salt: salt,
            cost: configuration.passwordCost, deviceSecret: key.secret(.password))
        let provisioning = device.provisioning
        let lifetime = Int64(clamping: min(provisioning.pendingSeconds, Self.longestPendingSeconds))
        self.init(
            account: account, tenant: configuration.tenant, deviceID: provisioning.deviceID,
            serials: [provisioning.passwordSerialNumber, provisioning.otherSerialNumber], activationHandle: handle,
            pendingUntil: provisioning.platformTime.advanced(seconds: lifetime), suite: device.suite.rawValue,
            presharedKey: device.secrets.channel,
            signingKey: PlatformSigningKey(kid: provisioning.signingKey.kid, bytes: provisioning.signingKey.bytes),
            sealingKeys: provisioning.sealingKeys.compactMap { key in
                UInt8(exactly: key.suite).map { PlatformSealingKey(kid: key.kid, suite: $0, bytes: key.bytes) }
            },
            maskedSecret: masked, salt: salt, cost: configuration.passwordCost,
            possessionSecret: device.secrets.possessionInstance, ratchet: device.secrets.ratchet,
            pinPolicy: device.policy,
            applications: device.applications, clockOffset: clockOffset)
    }

    /// The protocol's limit for an activation that is not finished: 30 minutes.
    private static let longestPendingSeconds: UInt64 = 1_800

    /// The secret of instance 1 as a password unwraps it. Any password gives one; whether it is the right one is the
    /// platform's to say (PROTOCOL §3).
    func passwordInstance(_ password: SecretBox<Password>, key: any DeviceKey) async throws -> SymmetricKey {
        try await PasswordMask.unmask(
            masked: maskedSecret, password: password.secret, salt: salt, cost: cost,
            deviceSecret: key.secret(.password))
    }
}
