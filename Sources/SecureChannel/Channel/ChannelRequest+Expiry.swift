package import Primitives
internal import Wire

extension ChannelRequest {
    /// How far ahead of the platform's clock an expiry may lie, in milliseconds: 5 minutes.
    package static let maximumLifetime: Int64 = 300_000

    /// How long after the expiry a request and its answer are remembered, in milliseconds: 60 seconds.
    package static let replayRetention: Int64 = 60_000

    /// Whether the expiry has not passed and lies at most ``maximumLifetime`` ahead.
    ///
    /// A request outside is opened all the same and answered with the platform's time, sealed, and has no other effect.
    package func isTimely(at now: Timestamp) -> Bool {
        header.expiry >= now && header.expiry <= now.advanced(milliseconds: Self.maximumLifetime)
    }

    /// Until when the platform has to remember this request.
    package var rememberUntil: Timestamp { header.expiry.advanced(milliseconds: Self.replayRetention) }
}
