/// The reason why a device is locked, at the platform or in the store of the device. Stores keep the raw values.
@nonexhaustive
public enum LockReason: String, Sendable, Hashable, CaseIterable, Codable {
    /// Too many wrong passwords in a row, each with a valid device signature.
    case wrongPassword
    /// The platform saw the state of the device in two places: the store was copied or restored.
    case cloneSuspected
    /// The platform was restored from a backup without a copy of the audit log.
    case restored
    /// The platform has revoked the device. Only the store of the device has this reason.
    case revoked
}
