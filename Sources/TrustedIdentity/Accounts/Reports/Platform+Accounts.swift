public import Primitives

extension Platform {
    /// Returns a report on an account.
    ///
    /// - Parameter account: The account.
    /// - Returns: `nil` when the account does not exist.
    /// - Throws: ``PlatformError`` with `storeFailed`.
    public func account(_ account: AccountName) async throws -> AccountReport? {
        let (name, now, retention) = (account.text, time.now(), configuration.retention.revokedDevices)
        return try await read { store in
            guard let account = try store.account(name) else { return nil }
            let (devices, state) = (try store.devices(of: name), try store.currentState())
            let progress = ActivationProgress(
                account: account, activationPassword: try store.activationPassword(of: name), devices: devices,
                now: now)
            let shown = devices.filter { $0.state != .revoked || $0.isKnownRevoked(for: retention, now: now) }
            return AccountReport(
                account, status: progress.status, devices: shown, state: state,
                counters: try store.codeCounters(ofAccount: name), throttles: try store.throttles(of: name),
                risk: try RiskState(of: name, in: store), now: now)
        }
    }

    /// The number of accounts that one read returns when accounts of some domains are searched.
    private static let accountBatch = 1_000

    /// Returns accounts in the order of their names, for administrators.
    ///
    /// When domains are given, the platform also reads accounts of other domains: up to all of them for a page.
    ///
    /// - Parameters:
    ///   - prefix: The beginning of the names; empty for all.
    ///   - domains: The domains of the accounts; nil for all.
    ///   - name: The name after which the list begins, from the previous page; nil for the beginning.
    ///   - limit: The maximum number of accounts, 1 to 1,000.
    /// - Throws: ``PlatformError`` with `malformedRequest` for another limit, `storeFailed`; `CancellationError`.
    public func accounts(
        withPrefix prefix: String = "", in domains: Set<String>? = nil, after name: String? = nil, limit: Int = 100
    ) async throws -> [AccountSummary] {
        guard (1...1_000).contains(limit) else { throw PlatformError(.malformedRequest) }
        guard let domains else { return try await allAccounts(withPrefix: prefix, after: name, limit: limit) }
        // The walk may be long, and the executor of the caller may be the thread of many connections.
        return try await withTaskExecutorPreference(globalConcurrentExecutor) {
            var (found, last) = ([AccountSummary](), name)
            repeat {
                let page = try await allAccounts(withPrefix: prefix, after: last, limit: Self.accountBatch)
                found += page.filter { domains.contains($0.domain) }
                last = page.count == Self.accountBatch ? page.last?.name : nil
            } while last != nil && found.count < limit
            return Array(found.prefix(limit))
        }
    }

    private func allAccounts(
        withPrefix prefix: String, after name: String?, limit: Int
    ) async throws -> [AccountSummary] {
        try await read { store in
            var found: [AccountRecord] = []
            // The walk begins after a name, and the prefix itself may be a name.
            let isAtPrefix = name.map { $0.utf8.lexicographicallyPrecedes(prefix.utf8) } ?? true
            if isAtPrefix, !prefix.isEmpty, let account = try store.account(prefix) { found = [account] }
            let start = isAtPrefix ? prefix : name ?? ""
            found += try store.accounts(after: start.isEmpty ? nil : start, limit: limit - found.count)
            return found.prefix { $0.name.hasPrefix(prefix) }.map(AccountSummary.init)
        }
    }

    /// Lifts the blocks of an account.
    ///
    /// The counts of failed codes and passwords, including the counts of each device, start again at zero. The strict
    /// mode, the step-up and the mute of the policy end: see ``RiskState/lift()``. Codes that are used up because the
    /// platform's clock was ahead are released: they are accepted once the device has moved to the next ratchet index,
    /// which takes a request of the device and at most five minutes. No device is unlocked, and no suspension after a
    /// restore is lifted: see ``liftSuspensions()``.
    ///
    /// - Throws: ``PlatformError`` with `unknownUser`, `storeFailed`.
    public func liftBlocks(of account: AccountName) async throws {
        let (name, now) = (account.text, time.now())
        try await write { store in
            guard try store.account(name) != nil else { throw PlatformError(.unknownUser) }
            for throttle in try store.throttles(of: name) {
                try requireWritten(store.update(Throttle.lifted(throttle, now: now)))
            }
            for device in try store.devices(of: name) where device.state != .revoked {
                var cleared = device
                cleared.clearFailures()
                if cleared != device { try requireWritten(store.update(cleared)) }
                guard let device = try store.device(device.id) else { continue }
                try CodesAhead.release(device, in: store, now: now)
            }
            if var row = try store.accountRisk(name) {
                var risk = try RiskState(of: name, in: store)
                risk.lift()
                row.state = risk.encoded
                try requireWritten(store.update(row))
            }
            try store.append(AuditEntry(time: now, event: .throttleLifted, account: name))
        }
        watch.changed(.account(name))
    }
}

/// An account in a list.
public struct AccountSummary: Sendable, Hashable, Codable {
    private enum CodingKeys: String, CodingKey {
        case name = "user"
        case createdAt, activatedAt
    }

    /// The account, `user@domain`.
    public let name: String
    /// The time of the first registration.
    public let createdAt: Timestamp
    /// The time when the first device of the latest registration completed its activation; nil before.
    public let activatedAt: Timestamp?

    init(_ record: AccountRecord) {
        name = record.name
        createdAt = record.createdAt
        activatedAt = record.activatedAt
    }

    /// The domain of the account.
    fileprivate var domain: String { name.lastIndex(of: "@").map { String(name[name.index(after: $0)...]) } ?? "" }
}
