internal import Primitives

/// The times between the attempts to deliver a notification.
enum DeliveryBackoff {
    private static let first: Int64 = 2_000
    private static let greatest: Int64 = 60_000

    /// Returns the time after a failure: 2 s, doubled for each further one up to 60 s, of which the latter half is
    /// random. Deliveries that fail together are not repeated together.
    static func delay(failures: Int, random: any RandomSource) -> Duration {
        let full = min(greatest, first << Int64(min(max(failures, 1) - 1, 5)))
        let word = random.bytes(4).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        return .milliseconds(full / 2 + Int64((word * UInt64(full / 2)) >> 32))
    }
}
