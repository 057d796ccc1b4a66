/// The fifth step: a revoked device keeps the pre-shared key of its channel, and is found by the time of its
/// revocation.
///
/// Devices that were revoked before have no such key.
enum RevocationSchema {
    /// The condition of a revoked device. A query uses the index by the same condition.
    static let revoked = "state = 'revoked'"

    static let statements = [
        "ALTER TABLE device ADD COLUMN channel_key BLOB CHECK (channel_key IS NULL OR \(revoked))",
        "CREATE INDEX device_by_revoked_at ON device (revoked_at) WHERE \(revoked)",
    ]
}
