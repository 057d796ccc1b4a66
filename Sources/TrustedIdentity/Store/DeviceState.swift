/// Where a device stands. The raw values are what stores keep.
public enum DeviceState: String, Sendable, Hashable, CaseIterable, Codable {
    /// Keys are exchanged; only steps 3 and 4 of the activation are served, and only for 30 minutes.
    case pending
    /// Activated; its codes count. It has not named a notification identifier yet.
    case pendingNotification
    /// Activated, with a notification identifier.
    case active
    /// Serves nothing but its own deletion, until it is unlocked.
    case locked
    /// Never served again; its keys are erased.
    case revoked
}
