package import Primitives

/// What the platform gives a device, sealed, in the second step of an activation.
package struct Provisioning: Sendable, Hashable {
    package var deviceID: [UInt8]

    /// The serial number of the password's instance.
    package var passwordSerialNumber: String

    /// The serial number of the instance for the other methods.
    package var otherSerialNumber: String

    /// What the platform signs with.
    package var signingKey: SigningKey

    /// What requests are sealed to, one or more.
    package var sealingKeys: [SealingKey]

    package var pinPolicy: PINPolicyForm

    /// What the crypto applications of the device make, by ascending index.
    package var applications: [Application]

    /// Goes into the secrets of the instances.
    package var platformRandom: [UInt8]

    package var platformTime: Timestamp

    /// How long the pending device waits for the last step.
    package var pendingSeconds: UInt64

    package init(
        deviceID: [UInt8], passwordSerialNumber: String, otherSerialNumber: String, signingKey: SigningKey,
        sealingKeys: [SealingKey], pinPolicy: PINPolicyForm, applications: [Application], platformRandom: [UInt8],
        platformTime: Timestamp, pendingSeconds: UInt64
    ) {
        self.deviceID = deviceID
        self.passwordSerialNumber = passwordSerialNumber
        self.otherSerialNumber = otherSerialNumber
        self.signingKey = signingKey
        self.sealingKeys = sealingKeys
        self.pinPolicy = pinPolicy
        self.applications = applications
        self.platformRandom = platformRandom
        self.platformTime = platformTime
        self.pendingSeconds = pendingSeconds
    }
}
