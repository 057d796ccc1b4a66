internal import Crypto
internal import Primitives

/// Which count a typed code or password goes to: that of a source that succeeded before, or everybody else's.
struct ThrottleScope {
    /// Sources of an account that have a count of their own; beyond that the least recently used gives way.
    static let maximumSources = 10
    /// How much of a source's text counts.
    static let maximumSourceBytes = 1_024

    let account: String
    let kind: ThrottleKey.Kind
    /// A hash of the source, or empty.
    let source: String

    /// - Parameter source: as the application server names it. It is kept hashed: it may be a fingerprint of a browser,
    ///   which is nobody's business in a database.
    init(account: String, kind: ThrottleKey.Kind, source: String?) {
        self.account = account
        self.kind = kind
        let bytes = Array((source ?? "").utf8.prefix(Self.maximumSourceBytes))
        let named = Label.loginSource.bytes + [0] + Array(account.utf8) + [0] + bytes
        self.source = bytes.isEmpty ? "" : Hex.encode(Array(SHA256.hash(data: named)))
    }

    private var common: ThrottleKey { ThrottleKey(account: account, kind: kind) }
    private var own: ThrottleKey { ThrottleKey(account: account, kind: kind, source: source) }

    /// The count in force. A source without a row never succeeded and counts with everybody else.
    func record(in store: some StoreReader) throws -> ThrottleRecord? {
        if !source.isEmpty, let record = try store.throttle(own) { return record }
        return try store.throttle(common)
    }

    /// Counts a failure. False on a conflict.
    ///
    /// - Parameter record: the count in force, as this transaction read it.
    func fail(_ record: ThrottleRecord?, in store: some StoreTransaction, now: Timestamp) throws -> Bool {
        if let record { return try store.update(Throttle.failing(record, now: now)) }
        return try store.insert(Throttle.failing(ThrottleRecord(key: common, now: now), now: now))
    }

    /// Ends the row of failures and remembers the source. False on a conflict.
    ///
    /// - Parameter record: the count in force, as this transaction read it.
    func succeed(_ record: ThrottleRecord?, in store: some StoreTransaction, now: Timestamp) throws -> Bool {
        if let record {
            // Everybody else's count gives way to nobody, so that it does not matter when it was used.
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
