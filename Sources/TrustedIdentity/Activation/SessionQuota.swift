internal import Crypto
internal import Primitives

/// The bound on concurrent activation exchanges, each of which is a row of two kilobytes that any stranger can cause.
///
/// The quota refuses no exchange. An address over its share loses its own oldest exchange. When the store is full, the
/// busiest network loses its oldest exchanges: the quota finds the busiest of the widest networks, then the busiest
/// network in it, and so on while each holds ``busy`` exchanges or more. Strangers who begin exchanges from many
/// addresses of one provider or customer thus remove their own. When no network is busy, the oldest exchanges of all
/// are removed. The account that a request names has no influence, so that a stranger cannot learn from lost exchanges
/// which users and activation passwords exist.
///
/// The store keeps the number of exchanges of each network, so that no request counts exchanges. One request in
/// ``batch`` removes exchanges when the store is full.
struct SessionQuota: Sendable {
    /// The number of exchanges that the store keeps.
    static let total = 10_000
    /// The number of exchanges that are removed at once when the store is full.
    static let batch = 64
    /// The number of exchanges from which a network counts as busy.
    static let busy = 2 * batch

    /// The names of the networks of the address in the store, in one text; empty for an unknown address, which has no
    /// share.
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
    ///
    /// Exchanges that are not kept any more go first: a row that the maintenance has not removed yet never costs
    /// another exchange its place.
    func removeExcess(in store: some StoreTransaction, now: Timestamp) throws {
        if !source.isEmpty {
            let excess = try store.activationSessionCount(of: source) - share + 1
            if excess > 0 {
                let ended = try store.removeEndedActivationSessions(of: source, now: now, limit: Self.batch)
                if ended < excess {
                    try store.removeOldestActivationSessions(of: source, limit: excess - ended)
                }
            }
        }
        guard try store.activationSessionCount(of: "") >= Self.total,
            try store.removeEndedActivationSessions(of: "", now: now, limit: Self.batch) == 0
        else { return }
        try store.removeOldestActivationSessions(of: busiestNetwork(in: store), limit: Self.batch)
    }

    /// Returns the narrowest busy network whose wider networks are busy, too; empty when none is.
    private func busiestNetwork(in store: some StoreTransaction) throws -> String {
        var network = ""
        for _ in 0..<AddressNetworks.count {
            guard let busiest = try store.busiestActivationNetwork(in: network),
                try store.activationSessionCount(of: busiest) >= Self.busy
            else { break }
            network = busiest
        }
        return network
    }
}

extension RowSealer {
    /// Returns the names of the networks of an address in the store, which do not reveal the address.
    ///
    /// - Returns: Three names in one text, see ``ActivationSessionRecord/source``; empty for no address.
    func source(of address: String?) -> String {
        guard let address else { return "" }
        let names = AddressNetworks(address).names.enumerated().map { level, network in
            let info = Label.activationSource.bytes + [0] + Array(tenant.utf8) + [0, UInt8(level)] + network
            let key = HKDF<SHA256>.deriveKey(
                inputKeyMaterial: masterKey.key, info: info,
                outputByteCount: ActivationSessionRecord.networkNameLength / 2)
            return Hex.encode(unsafe key.withUnsafeBytes { unsafe Array($0) })
        }
        return names.joined()
    }
}
