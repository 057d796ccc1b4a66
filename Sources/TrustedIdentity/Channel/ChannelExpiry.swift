internal import Primitives
internal import SecureChannel

/// Whether a request can have been made before the platform was restored from a backup.
///
/// It may have been answered then, and the answer forgotten with the backup: answering it again would be a second
/// effect. The client makes a new one.
enum ChannelExpiry {
    /// Whether a request with this expiry was made after the restore: no request is good for longer than five minutes.
    static func isSince(_ restoredAt: Timestamp?, _ expiry: Timestamp) -> Bool {
        guard let restoredAt else { return true }
        return expiry > restoredAt.advanced(milliseconds: ChannelRequest.maximumLifetime)
    }
}
