extension ApprovalParameters {
    /// The allowed values of ``lifetime``.
    public static let lifetimes = Duration.seconds(1)...Duration.seconds(300)

    /// The lifetime of a request that specifies none: 120 seconds.
    public static let defaultLifetime = Duration.seconds(120)
}

/// The times for which the platform keeps approval requests that no device has answered.
enum ApprovalRetention {
    /// The time after the expiry or the end, in milliseconds: 10 minutes, in which the application server asks for the
    /// status.
    static let unanswered: Int64 = 600_000
}
