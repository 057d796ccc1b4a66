internal import Crypto
internal import Primitives
internal import SecureChannel
internal import Wire

/// What steps 1 and 2 have brought, on its way into the store.
struct ActivatedDevice: Sendable {
    let suite: Suite
    let provisioning: Provisioning
    let secrets: ActivationSecrets
    let policy: PINPolicy
    let applications: [CryptoApplication]

    /// The password, once it is chosen; the confirmation may still be missing.
    var password: SecretBox<Password>?

    /// Checks what the platform issued.
    ///
    /// - Returns: `nil` when it is outside the protocol's limits.
    init?(suite: Suite, provisioning: Provisioning, secrets: ActivationSecrets) {
        guard
            let policy = provisioning.pinPolicy.policy,
            // The first one of the suite is used: a bad one would be found after the device is stored.
            let sealingKey = provisioning.sealingKeys.first(where: { $0.suite == suite.wire }),
            (try? PlatformPublicKey(sealingKey)) != nil
        else { return nil }
        var applications: [CryptoApplication] = []
        for application in provisioning.applications {
            guard let application = CryptoApplication(application) else { return nil }
            applications.append(application)
        }
        self.suite = suite
        self.provisioning = provisioning
        self.secrets = secrets
        self.policy = policy
        self.applications = applications
    }
}
