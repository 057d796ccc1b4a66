internal import Crypto
internal import Primitives

/// How many exchanges are kept: each is a row of two kilobytes that a stranger can cause.
///
/// Nobody is turned away for it. Over the share of an address its own oldest exchange makes room; when all is full,
/// those of the address that has the most do. Who is asked for plays no part in it, or a stranger could tell from what
/// is forgotten which users and codes exist.
struct ActivationRoom: Sendable {
    /// Exchanges that are kept.
    static let total = 10_000
    /// How many go at once when all is full: finding the busiest address takes a look at every row.
    static let batch = 64

    /// What stands for the address; empty where none is known, which has no share of its own.
    let source: String
    /// Exchanges of one address.
    let share: Int

    /// - Parameter requestsPerAddress: what an address may send in a minute, and in a burst. The share is what it can
    ///   begin in the two minutes that an exchange's keys live, and the burst: within it, what is forgotten first is
    ///   past use.
    init(source: String, requestsPerAddress: Int) {
        self.source = source
        share = min(Self.total / 10, 3 * requestsPerAddress)
    }

    /// Makes room for one exchange.
    func make(in store: some StoreTransaction) throws {
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
    /// What stands for an address in the store: an address in the clear is nobody's business there.
    func source(of address: String?) -> String {
        guard let address else { return "" }
        let names = Label.activationSource.bytes + [0] + Array(tenant.utf8) + [0] + Array(address.utf8.prefix(64))
        let key = HKDF<SHA256>.deriveKey(inputKeyMaterial: masterKey.key, info: names, outputByteCount: 16)
        return Hex.encode(unsafe key.withUnsafeBytes { unsafe Array($0) })
    }
}
