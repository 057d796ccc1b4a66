/// The times for which a platform keeps rows that no decision needs.
///
/// A ``Maintenance`` removes them within a few minutes after their time. A changed time for receipts and device data
/// applies to the rows that are written from then on. A changed time for revoked devices and sources applies to all
/// rows.
public struct Retention: Sendable, Hashable {
    /// The time for which answered approval requests, their receipts, and decision records are kept, a day to 10 years.
    /// The default is 400 days: longer than the 13 months in which a payer may report a payment that was not authorized
    /// (Directive (EU) 2015/2366, article 71).
    public var receipts = Duration.seconds(400 * 86_400)

    /// The time for which the platform knows a revoked device, a day to 400 days. The default is 30 days. Until then
    /// the device learns that it was revoked, and accounts show it; after that, the device no longer exists for the
    /// platform.
    public var revokedDevices = Duration.seconds(30 * 86_400)

    /// The time for which the data that a device reported about itself is kept, a day to 400 days. The default is 30
    /// days.
    public var deviceData = Duration.seconds(30 * 86_400)

    /// The time for which a source that has logged in before is remembered without a further login, 30 days to 10
    /// years. The default is 400 days. A source with a failure that still counts is remembered for longer: until an
    /// administrator lifts its count, or later sources replace it.
    public var idleSources = Duration.seconds(400 * 86_400)

    /// Creates the default times.
    public init() {}

    /// The limits of the times, with the names that they have in a ``PlatformConfiguration``.
    static let limits: [ConfigurationLimit<PlatformConfiguration>] = [
        .init("retention.receipts", in: days(1)...days(3_653)) { $0.retention.receipts },
        // The platform erases the keys to which a device seals its requests 400 days after their end.
        .init("retention.revokedDevices", in: days(1)...days(400)) { $0.retention.revokedDevices },
        .init("retention.deviceData", in: days(1)...days(400)) { $0.retention.deviceData },
        .init("retention.idleSources", in: days(30)...days(3_653)) { $0.retention.idleSources },
    ]

    private static func days(_ number: Int64) -> Duration { .seconds(number * 86_400) }
}
