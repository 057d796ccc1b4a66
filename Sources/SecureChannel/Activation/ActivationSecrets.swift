package import Crypto
internal import Primitives
internal import Wire

/// The secrets that an activation leaves on both sides; 32 bytes each.
package struct ActivationSecrets: Sendable {
    /// K₁, of the password's instance. The authenticator keeps it masked by the password only.
    package let passwordInstance: SymmetricKey

    /// K₂n, of the instance for the other methods.
    package let possessionInstance: SymmetricKey

    /// D₀, where the key ratchet starts.
    package let ratchet: SymmetricKey

    /// What device and platform share on the channel.
    package let channel: SymmetricKey

    init(
        provisioning: SymmetricKey, context: ActivationContext, registration: DeviceRegistration,
        answer: Provisioning
    ) {
        let info = context.provisioning(
            clientRandom: registration.clientRandom, platformRandom: answer.platformRandom, deviceID: answer.deviceID)
        func derive(_ label: Label) -> SymmetricKey {
            KeyDerivation<SHA512>.expand(provisioning, as: label, context: info, count: 32)
        }
        passwordInstance = derive(.passwordInstance)
        possessionInstance = derive(.otherInstance)
        ratchet = derive(.ratchetStart)
        channel = derive(.presharedKey)
    }
}
