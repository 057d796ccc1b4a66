internal import Primitives

/// The rows of an account that a login reads, in one consistent state of the store.
struct LoginAccount: Sendable {
    /// The account as the caller named it.
    let name: AccountName
    /// The account; `nil` when it does not exist.
    let record: AccountRecord?
    /// The account whose rows are read: its own name, or that of the account in its place.
    let rows: String
    /// The devices whose codes are compared, at most ``DeviceLimits/maximumDevices``: without the suspended ones. Those
    /// of an account in the place of one that does not exist have codes that never match.
    let devices: [DeviceRecord]
    /// The counters of the devices.
    let counters: [CodeCounterRecord]
    /// The counts of failures that the credential belongs to.
    let scope: ThrottleScope
    /// Whether credentials are blocked.
    let isBlocked: Bool
    /// Whether the source has logged in before with a credential of the same kind.
    let isSourceKnown: Bool
    /// Whether the account has devices and none of them has synchronized since a restore.
    let isEveryDeviceRestored: Bool
    /// The risk state of the account.
    let risk: RiskState
    /// Whether no code may match: during a block, and for an account that does not exist.
    var isCodeExcluded: Bool { isBlocked || record == nil }
    /// Whether the static password is suspended since a restore.
    let isPasswordSuspended: Bool
    /// The time when the platform was last restored from a backup; `nil` if never.
    let restoredAt: Timestamp?
    /// The version of the row about the platform.
    let stateVersion: Int64

    /// Reads the rows. The reads, and all work with the rows, are the same for an account that does not exist: another
    /// account takes its place, whose rows are used as its own would be and have no effect.
    ///
    /// An account whose row was altered outside of the platform is treated as one that does not exist, and such a
    /// device as one that makes no code. Both are logged.
    ///
    /// - Parameters:
    ///   - kind: The kind of credential.
    ///   - source: The source that the application server named.
    ///   - hashes: The keyed hashes of the platform, for the source.
    ///   - changeKey: The key that the store must belong to; `nil` where no secret of a later password is derived.
    /// - Throws: ``PlatformError`` with `wrongChangeKey`, `alteredRow`.
    init(
        _ name: AccountName, kind: ThrottleKey.Kind, source: String?, hashes: KeyedHashes,
        boundTo changeKey: ChangeKey? = nil, now: Timestamp, in store: any StoreReader
    ) throws {
        self.name = name
        let nearest = try ifUnaltered { try store.account(atOrBefore: name.text) }
        record = nearest?.name == name.text ? nearest : nil
        let substitute = Decoys.throttleAccount(for: name)
        scope = ThrottleScope(account: record?.name ?? substitute, kind: kind, source: source, hashes: hashes)
        let counts = try scope.counts(in: store)
        let rows = nearest?.name ?? Decoys.account
        self.rows = rows
        // The names in place of unknown ones are few, so that their counts are in the caches of the database. Those of
        // an account often are not. Each login reads both.
        _ = try store.throttles(of: record == nil ? rows : substitute)
        isBlocked = counts.isBlocked(now: now)
        isSourceKnown = !scope.source.isEmpty && counts.record?.key.source == scope.source
        let state = try store.presentState()
        if let changeKey { try state.requireBound(to: changeKey) }
        stateVersion = state.version
        restoredAt = state.restoredAt
        isPasswordSuspended = record.map { state.suspends(epoch: $0.staticPasswordEpoch) } ?? false
        let risk = try RiskState(of: rows, in: store)
        self.risk = record == nil ? RiskState() : risk
        let all = try store.devices(of: rows).filter(\.isLoginDevice)
        let isRestored = !all.isEmpty && all.allSatisfy { state.current($0).isRestored }
        isEveryDeviceRestored = isRestored && record != nil
        devices = Array(
            all.filter { !$0.isSuspended(by: state) }.map(state.current).prefix(DeviceLimits.maximumDevices))
        counters = try store.codeCounters(ofAccount: rows)
    }

    /// Returns what the policy decides a typed credential from.
    ///
    /// - Parameters:
    ///   - address: The network address of the browser.
    ///   - fingerprint: The fingerprint of the browser.
    ///   - showsNumbers: Whether the site of the API key shows numbers.
    func situation(
        _ request: Situation.Request, address: NetworkAddress?, fingerprint: String?, showsNumbers: Bool,
        hashes: KeyedHashes, at now: Timestamp
    ) -> Situation {
        let activations = record == nil ? [] : devices.compactMap(\.activatedAt)
        return Situation(
            request, at: now, address: address,
            browser: risk.recognizes(browser: fingerprint.map { hashes.stored(browser: $0, of: name.text) }),
            isSourceKnown: isSourceKnown, showsNumbers: showsNumbers,
            deviceAge: activations.max().map { .milliseconds(max(0, now.milliseconds(since: $0))) }, risk: risk)
    }

    /// Opens the keys of the devices, once for a login.
    ///
    /// The result always has keys for ``DeviceLimits/maximumDevices`` devices. Decoys fill the missing places, so that
    /// the time does not show how many devices exist.
    func keys(sealer: RowSealer, decoys: Decoys) throws -> [DeviceKeys] {
        try (0..<DeviceLimits.maximumDevices).map { place in
            guard place < devices.count else { return try DeviceKeys(of: decoys, sealer: sealer) }
            let opened = Result { try DeviceKeys(of: devices[place], sealer: sealer) }
            // The damage of an account that stands in for an unknown one is not shown.
            if record == nil { return try (try? opened.get()) ?? DeviceKeys(of: decoys, sealer: sealer) }
            // A device whose codes are accepted has keys: they are erased only when it is revoked.
            guard let keys = try opened.get() else { throw PlatformError(.internal) }
            return keys
        }
    }
}

extension RiskState {
    /// Reads the risk state of an account; an empty one for a row that was altered outside of the platform.
    ///
    /// - Throws: ``PlatformError`` with `internal` for a row of another form.
    init(of account: String, in store: any StoreReader) throws {
        guard let row = try ifUnaltered({ try store.accountRisk(account) }) else {
            self.init()
            return
        }
        guard let state = try? RiskState(decoding: row.state) else { throw PlatformError(.internal) }
        self = state
    }
}
