/// The labels of what the client keeps for itself. Nothing on the wire names them.
extension Label {
    /// Random key file, app's salt and machine → the root of a software device key.
    package static let deviceRoot = Label("swift-orchestration/1 device root")

    /// Device root → the key that seals the P-256 key in its handle.
    package static let deviceKeySeal = Label("swift-orchestration/1 device key seal")

    /// Device root → the check in a handle that tells this device from another.
    package static let deviceBinding = Label("swift-orchestration/1 device binding")

    /// Device → the secret that seals user records.
    package static let deviceStorageSecret = Label("swift-orchestration/1 device storage secret")

    /// Device → the secret in the wrap of K₁.
    package static let devicePasswordSecret = Label("swift-orchestration/1 device password secret")

    /// Storage secret and fresh salt → the key of one write of a user record; also the kind in its associated data.
    package static let userRecord = Label("swift-orchestration/1 user record")

    /// The app's salt, tenant and account → the name of the record in the store.
    package static let recordName = Label("swift-orchestration/1 record name")

    /// scrypt of the password and the device's password secret → the pad over K₁.
    package static let passwordPad = Label("swift-orchestration/1 password pad")

    static let client: [Label] = [
        deviceRoot, deviceKeySeal, deviceBinding, deviceStorageSecret, devicePasswordSecret, userRecord, recordName,
        passwordPad,
    ]
}
