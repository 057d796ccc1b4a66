internal import Primitives

/// The failure counts for a credential of an account: the count of a source that logged in before, or the account's
/// common count, and the count over all sources.
struct ThrottleScope {
    /// The number of sources of an account with a separate count. A further source replaces the least recently used
    /// one.
    static let maximumSources = 10
    /// The number of bytes of a source's text that count.
    static let maximumSourceBytes = 1_024
    /// The source of the count over all sources. No hash of a source has this text.
    static let overallSource = "overall"

    let account: String
    let kind: CredentialKind
    /// A keyed hash of the source, or empty.
    let source: String

    /// Creates a scope.
    ///
    /// - Parameters:
    ///   - source: The source as the application server names it.
    ///   - hashes: The keyed hashes of the platform. The store keeps a hash of the source.
    init(account: String, kind: CredentialKind, source: String?, hashes: KeyedHashes) {
        self.account = account
        self.kind = kind
        self.source = hashes.stored(source: source, of: account)
    }

    /// Creates the scope of a source whose keyed hash is known.
    init(account: String, kind: CredentialKind, hashedSource: String) {
        self.account = account
        self.kind = kind
        source = hashedSource
    }

    private var common: ThrottleKey { ThrottleKey(account: account, kind: kind) }
    private var own: ThrottleKey { ThrottleKey(account: account, kind: kind, source: source) }
    // Each kind has a separate count. The common count of a kind ends at half of the limit, which means that strangers
    // alone never reach it.
    private var overall: ThrottleKey { ThrottleKey(account: account, kind: kind, source: Self.overallSource) }

    /// Returns the counts that apply. A source without a row has never logged in and uses the common count.
    func counts(in store: some StoreReader) throws -> ThrottleCounts {
        let records = try store.throttles(of: account)
        func record(_ key: ThrottleKey) -> ThrottleRecord? { records.first { $0.key == key } }
        return ThrottleCounts(
            record: (source.isEmpty ? nil : record(own)) ?? record(common), overall: record(overall),
            sources: records.filter { $0.key.kind == kind && !["", Self.overallSource].contains($0.key.source) })
    }

    /// Counts a failure.
    ///
    /// - Parameter counts: The counts that apply, as this transaction read them.
    /// - Returns: `false` on a conflict.
    func fail(_ counts: ThrottleCounts, in store: StoreTransaction, now: Timestamp) throws -> Bool {
        let record = Throttle.failing(counts.record ?? ThrottleRecord(key: common, now: now), now: now)
        let overall = Throttle.failingOverall(
            counts.overall ?? ThrottleRecord(key: overall, now: now), now: now)
        guard try write(record, overall, over: counts, in: store) else { return false }
        if let event = PlatformEvent(from: counts, to: record, overall: overall, at: now) {
            try store.append(EventRecord(event: event))
        }
        return true
    }

    private func write(
        _ record: ThrottleRecord, _ overall: ThrottleRecord, over counts: ThrottleCounts,
        in store: StoreTransaction
    ) throws -> Bool {
        guard try counts.record == nil ? store.insert(record) : store.update(record) else { return false }
        return try counts.overall == nil ? store.insert(overall) : store.update(overall)
    }

    /// Remembers the source and leaves the counts as they are.
    ///
    /// - Returns: `false` on a conflict.
    func remember(in store: StoreTransaction, now: Timestamp) throws -> Bool {
        guard !source.isEmpty else { return true }
        let known = try counts(in: store).sources
        guard var record = known.first(where: { $0.key == own }) else {
            return try insertOwn(replacing: known, in: store, now: now)
        }
        record.usedAt = now
        return try store.update(record)
    }

    /// Stores a count of the source. When the maximum number is reached, it replaces the least recently used one.
    private func insertOwn(
        replacing known: [ThrottleRecord], in store: StoreTransaction, now: Timestamp
    ) throws -> Bool {
        for old in known.prefix(max(0, known.count - Self.maximumSources + 1)) { try store.removeThrottle(old.key) }
        return try store.insert(ThrottleRecord(key: own, now: now))
    }

    /// Ends the series of failures and remembers the source.
    ///
    /// - Parameter counts: The counts that apply, as this transaction read them.
    /// - Returns: `false` on a conflict.
    func succeed(_ counts: ThrottleCounts, in store: StoreTransaction, now: Timestamp) throws -> Bool {
        if let overall = counts.overall, overall.consecutive > 0 {
            guard try store.update(Throttle.succeeding(overall, now: now)) else { return false }
        }
        if let record = counts.record {
            // The common count is never replaced, so the time of its last use does not matter.
            let isEnded = record.key == common && record.consecutive == 0
            guard try isEnded || store.update(Throttle.succeeding(record, now: now)) else { return false }
            if record.key.source == source { return true }
        }
        return try source.isEmpty || insertOwn(replacing: counts.sources, in: store, now: now)
    }
}

/// The counts of failures that apply to a credential, as one read of the store found them.
struct ThrottleCounts: Sendable {
    /// The count of the source, or the common one; `nil` when there was no failure.
    let record: ThrottleRecord?
    /// The count over all sources; `nil` when there was no failure.
    let overall: ThrottleRecord?
    /// The counts of the sources of the same kind that logged in before, the least recently used first.
    let sources: [ThrottleRecord]

    /// Returns whether credentials are blocked.
    func isBlocked(now: Timestamp) -> Bool {
        Throttle.isBlocked(record, now: now) || (overall?.consecutive ?? 0) >= Throttle.overallLimit
    }
}
