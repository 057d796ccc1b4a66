/// Why a user cannot be used on this device any more. Each of them comes under the platform's seal, and the way out is the
/// same: delete the user and activate again.
///
/// A password that the platform has locked is not among them: that is lifted at the platform, which is asked each time.
package enum LockReason: UInt8, Sendable, Hashable, CaseIterable {
    /// The platform saw the device's data in two places.
    case cloneSuspected = 2
    /// The platform has revoked the device.
    case revoked = 3
}
