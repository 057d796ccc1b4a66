internal import Crypto
internal import OrchestrationProtocol
internal import Primitives

/// The result of steps 1 and 2: the provisioning of the platform, and the secrets of both sides.
struct ActivatedDevice: Sendable {
    let suite: Suite
    /// The capabilities that both sides have, ascending.
    let capabilities: [UInt64]
    let provisioning: Provisioning
    /// The key statement of the provisioning, verified.
    let platformKeys: KeyStatement
    let secrets: ActivationSecrets
    let policy: PINPolicy
    let applications: [CryptoApplication]

    /// Checks the provisioning of the platform.
    ///
    /// - Returns: `nil` when it is outside the limits of the protocol.
    init?(suite: Suite, capabilities: [UInt64], provisioning: Provisioning, secrets: ActivationSecrets) {
        guard
            let policy = provisioning.pinPolicy.policy,
            // Otherwise a bad key would be detected only after the device is stored.
            let platformKeys = try? KeyStatement.verified(first: provisioning.statement, suite: suite),
            (try? platformKeys.requireSealingKey(of: suite, at: provisioning.platformTime)) != nil
        else { return nil }
        var applications: [CryptoApplication] = []
        for issued in provisioning.applications {
            guard let application = CryptoApplication(issued) else { return nil }
            applications.append(application)
        }
        self.suite = suite
        self.capabilities = capabilities
        self.provisioning = provisioning
        self.platformKeys = platformKeys
        self.secrets = secrets
        self.policy = policy
        self.applications = applications
    }
}

extension CryptoApplication {
    /// Creates an application from its issued form.
    ///
    /// - Returns: `nil` when it is outside the limits of this SDK.
    fileprivate init?(_ issued: Provisioning.Application) {
        let kind: Kind =
            switch issued.kind {
            case .totp: .timeBased
            case .hotp: .counterBased
            case .challenge: .challenge
            case .signature: .signature
            }
        self.init(
            index: issued.index, kind: kind, digits: issued.digits, timeStep: issued.timeStep,
            hasHostCode: issued.hostCode)
    }
}

extension UserRecord {
    /// The limit of the protocol for an activation that is not complete: 30 minutes.
    private static let longestPendingSeconds: UInt64 = 1_800

    /// Creates the record of a device whose password was chosen and is not proven yet.
    init(
        _ device: ActivatedDevice, of account: AccountName, handle: UInt16, password: borrowing Password,
        key: any DeviceKey, clockOffset: Int64, environment: FlowEnvironment
    ) async throws {
        let (configuration, provisioning) = (environment.configuration, device.provisioning)
        let salt = environment.random.bytes(32)
        let masked = try await PasswordMask.mask(
            secret: device.secrets.passwordInstance, password: password, salt: salt,
            cost: configuration.passwordCost, deviceSecret: key.secret(.password))
        let lifetime = Int64(clamping: min(provisioning.pendingSeconds, Self.longestPendingSeconds))
        self.init(
            account: account, tenant: configuration.tenant, deviceID: provisioning.deviceID,
            serials: [provisioning.passwordSerialNumber, provisioning.otherSerialNumber], activationHandle: handle,
            pendingUntil: provisioning.platformTime.advanced(seconds: lifetime), suite: device.suite.rawValue,
            presharedKey: device.secrets.channel, platformKeys: device.platformKeys, maskedSecret: masked, salt: salt,
            cost: configuration.passwordCost,
            possessionSecret: device.secrets.possessionInstance, ratchet: device.secrets.ratchet,
            ratchetMovedAt: environment.time.now(), pinPolicy: device.policy, applications: device.applications,
            capabilities: device.capabilities,
            clockOffset: clockOffset)
    }

    /// Returns the secret of the password's instance as a password unwraps it. Every password unwraps a secret. Only
    /// the platform knows whether it is the right one.
    func passwordInstance(_ password: borrowing Password, key: any DeviceKey) async throws -> SymmetricKey {
        try await PasswordMask.unmask(
            masked: maskedSecret, password: password, salt: salt, cost: cost, deviceSecret: key.secret(.password))
    }
}
