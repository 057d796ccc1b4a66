internal import Crypto
internal import Primitives

/// The count of failures for a credential: that of a source that logged in before, or the common one of the account.
struct ThrottleScope {
    /// The number of sources of an account with a count of their own. One more replaces the least recently used one.
    static let maximumSources = 10
    /// The number of bytes of a source's text that count.
    static let maximumSourceBytes = 1_024

    let account: String
    let kind: ThrottleKey.Kind
    /// A hash of the source, or empty.
    let source: String

    /// Creates a scope.
    ///
    /// - Parameter source: The source as the application server names it. The store keeps a hash of it, because it may
    ///   be the fingerprint of a browser.
    init(account: String, kind: ThrottleKey.Kind, source: String?) {
        self.account = account
        self.kind = kind
        let bytes = Array((source ?? "").utf8.prefix(Self.maximumSourceBytes))
        let named = Label.loginSource.bytes + [0] + Array(account.utf8) + [0] + bytes
        self.source = bytes.isEmpty ? "" : Hex.encode(Array(SHA256.hash(data: named)))
    }

    private var common: ThrottleKey { ThrottleKey(account: account, kind: kind) }
    private var own: ThrottleKey { ThrottleKey(account: account, kind: kind, source: source) }

    /// Returns the count that applies. A source without a row never logged in and uses the common count.
    func record(in store: some StoreReader) throws -> ThrottleRecord? {
        if !source.isEmpty, let record = try store.throttle(own) { return record }
        return try store.throttle(common)
    }

    /// Counts a failure.
    ///
    /// - Parameter record: The count that applies, as this transaction read it.
    /// - Returns: `false` on a conflict.
    func fail(_ record: ThrottleRecord?, in store: some StoreTransaction, now: Timestamp) throws -> Bool {
        if let record { return try store.update(Throttle.failing(record, now: now)) }
        return try store.insert(Throttle.failing(ThrottleRecord(key: common, now: now), now: now))
    }

    /// Ends the row of failures and remembers the source.
    ///
    /// - Parameter record: The count that applies, as this transaction read it.
    /// - Returns: `false` on a conflict.
    func succeed(_ record: ThrottleRecord?, in store: some StoreTransaction, now: Timestamp) throws -> Bool {
        if let record {
            // The common count is never replaced, so that the time of its last use does not matter.
            let isEnded = record.key == common && record.consecutive == 0
            guard try isEnded || store.update(Throttle.succeeding(record, now: now)) else { return false }
            if record.key.source == source { return true }
        }
        guard !source.isEmpty else { return true }
        let known = try store.throttles(of: account).filter { $0.key.kind == kind && !$0.key.source.isEmpty }
        for old in known.prefix(max(0, known.count - Self.maximumSources + 1)) { try store.removeThrottle(old.key) }
        return try store.insert(ThrottleRecord(key: own, now: now))
    }
}
