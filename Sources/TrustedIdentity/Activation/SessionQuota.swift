internal import Crypto
internal import Primitives

/// The bound on concurrent activation exchanges, each of which is a row of two kilobytes that any stranger can cause.
///
/// The quota refuses no exchange. An address over its share loses its own oldest exchange. When the store is full, the
/// address with the most exchanges loses some. The account that a request names has no influence, so that a stranger
/// cannot learn from lost exchanges which users and activation passwords exist.
struct SessionQuota: Sendable {
    /// The number of exchanges that the store keeps.
    static let total = 10_000
    /// The number of exchanges that are removed at once when the store is full. To find the busiest address, the store
    /// looks at every row.
    static let batch = 64

    /// The name of the address in the store; empty for an unknown address, which has no share.
    let source: String
    /// The number of exchanges of one address.
    let share: Int

    /// Creates a quota.
    ///
    /// - Parameter requestsPerAddress: The number of requests that an address may send in a minute and in a burst. The
    ///   share is the number of exchanges that it can begin within the two minutes for which the keys of an exchange
    ///   live, and a burst. The keys of an exchange over the share have expired.
    init(source: String, requestsPerAddress: Int) {
        self.source = source
        share = min(Self.total / 10, 3 * requestsPerAddress)
    }

    /// Removes exchanges over the quota, so that one more fits.
    func removeExcess(in store: some StoreTransaction) throws {
        if !source.isEmpty {
            let own = try store.activationSessionCount(of: source)
            if own >= share { try store.removeOldestActivationSessions(of: source, limit: own - share + 1) }
        }
        guard try store.activationSessionCount() >= Self.total, let busiest = try store.busiestActivationSource() else {
            return
        }
        let limit = min(Self.batch, try store.activationSessionCount(of: busiest) / 2)
        try store.removeOldestActivationSessions(of: busiest, limit: max(1, limit))
    }
}

extension RowSealer {
    /// Returns the name of an address in the store, which does not reveal the address.
    func source(of address: String?) -> String {
        guard let address else { return "" }
        let names = Label.activationSource.bytes + [0] + Array(tenant.utf8) + [0] + Array(address.utf8.prefix(64))
        let key = HKDF<SHA256>.deriveKey(inputKeyMaterial: masterKey.key, info: names, outputByteCount: 16)
        return Hex.encode(unsafe key.withUnsafeBytes { unsafe Array($0) })
    }
}
