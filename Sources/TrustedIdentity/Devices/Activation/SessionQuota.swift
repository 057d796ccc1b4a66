internal import Crypto
internal import Primitives

/// The limit on concurrent activation exchanges. Any stranger can cause an exchange, which takes a row of two
/// kilobytes.
///
/// The quota refuses no exchange. An address over its share loses its own oldest exchange, and a full store loses its
/// oldest exchanges. The account that a request names has no influence: a stranger cannot learn from lost exchanges
/// which users and activation passwords exist.
struct SessionQuota: Sendable {
    /// The number of exchanges that the store keeps.
    static let total = 10_000
    /// The number of exchanges that are removed at once when the store is full.
    static let batch = 64

    /// The keyed hash of the address; empty for an unknown address, which gets no share.
    let source: String
    /// The number of exchanges of one address.
    let share: Int

    /// Creates a quota.
    ///
    /// - Parameter requestsPerAddress: The number of requests that an address may send in a minute and in a burst. The
    ///   share is a burst and the number of exchanges that it can begin within two minutes, which is the lifetime of
    ///   exchange keys. The keys of an exchange over the share have expired.
    init(source: String, requestsPerAddress: Int) {
        self.source = source
        share = min(Self.total / 10, 3 * requestsPerAddress)
    }

    /// Removes exchanges over the quota to stay below it with one more.
    func removeExcess(in store: StoreTransaction) throws {
        if !source.isEmpty {
            let excess = try store.activationSessionCount(of: source) - share + 1
            if excess > 0 { try store.removeOldestActivationSessions(of: source, limit: excess) }
        }
        guard try store.activationSessionCount(of: nil) >= Self.total else { return }
        try store.removeOldestActivationSessions(of: nil, limit: Self.batch)
    }
}
