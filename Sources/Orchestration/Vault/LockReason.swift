/// Why a user cannot be used on this device.
public enum LockReason: UInt8, Sendable, Hashable, CaseIterable {
    /// Too many wrong passwords. The way out: the platform's unlock.
    case wrongPassword = 1
    /// The platform saw the device's data in two places. The way out: delete the user and activate again.
    case cloneSuspected = 2
    /// The platform has revoked the device. The way out: delete the user and activate again.
    case revoked = 3
}
