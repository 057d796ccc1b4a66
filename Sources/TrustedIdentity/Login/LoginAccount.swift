internal import Primitives

/// The rows of an account that a login reads, in one consistent state of the store.
struct LoginAccount: Sendable {
    /// The account as the caller named it.
    let name: AccountName
    /// The account; `nil` when it does not exist.
    let record: AccountRecord?
    /// The devices whose codes are compared, at most ``DeviceLimits/maximumDevices``. Suspended devices are not among
    /// them.
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
    /// Whether the static password is suspended since a restore.
    let isPasswordSuspended: Bool
    /// The time when the platform was last restored from a backup; `nil` if never.
    let restoredAt: Timestamp?
    /// The suspension at the time of the read. A write requires the same one.
    let suspension: Suspension

    /// Reads the rows. An account that does not exist has no rows.
    ///
    /// A device whose row was altered outside of the platform makes no code. It is logged.
    ///
    /// - Parameters:
    ///   - kind: The kind of credential.
    ///   - source: The source that the application server named.
    ///   - hashes: The keyed hashes of the platform, for the source.
    /// - Throws: ``PlatformError`` with `alteredRow`.
    init(
        _ name: AccountName, kind: CredentialKind, source: String?, hashes: KeyedHashes,
        now: Timestamp, in store: any StoreReader
    ) throws {
        self.name = name
        record = try store.account(name.text)
        scope = ThrottleScope(account: name.text, kind: kind, source: source, hashes: hashes)
        let state = try store.currentState()
        suspension = state.suspension
        restoredAt = state.restoredAt
        guard let record else {
            (isBlocked, isSourceKnown, isPasswordSuspended, isEveryDeviceRestored) = (false, false, false, false)
            (risk, devices, counters) = (RiskState(), [], [])
            return
        }
        let counts = try scope.counts(in: store)
        isBlocked = counts.isBlocked(now: now)
        isSourceKnown = !scope.source.isEmpty && counts.record?.key.source == scope.source
        isPasswordSuspended = state.suspends(epoch: record.staticPasswordEpoch)
        risk = try RiskState(of: record.name, in: store)
        let all = try store.devices(of: record.name).filter(\.isLoginDevice)
        isEveryDeviceRestored = !all.isEmpty && all.allSatisfy { state.current($0).isRestored }
        devices = Array(
            all.filter { !$0.isSuspended(by: state) }.map(state.current).prefix(DeviceLimits.maximumDevices))
        counters = try store.codeCounters(ofAccount: record.name)
    }

    /// Returns the policy's input for a typed credential.
    ///
    /// - Parameters:
    ///   - address: The network address of the browser.
    ///   - fingerprint: The fingerprint of the browser.
    ///   - showsNumbers: Whether the API key's site shows numbers.
    func situation(
        _ request: Situation.Request, address: NetworkAddress?, fingerprint: String?, showsNumbers: Bool,
        hashes: KeyedHashes, at now: Timestamp
    ) -> Situation {
        let activations = devices.compactMap(\.activatedAt)
        return Situation(
            request, at: now, address: address,
            browser: risk.recognizes(browser: fingerprint.map { hashes.stored(browser: $0, of: name.text) }),
            isSourceKnown: isSourceKnown, showsNumbers: showsNumbers,
            deviceAge: activations.max().map { .milliseconds(max(0, now.milliseconds(since: $0))) }, risk: risk)
    }

    /// Opens the keys of the devices, once for a login.
    func keys(sealer: RowSealer) throws -> [DeviceKeys] {
        try devices.map { device in
            // A device whose codes are accepted has keys: they are erased only when it is revoked.
            guard let keys = try DeviceKeys(of: device, sealer: sealer) else { throw PlatformError(.internal) }
            return keys
        }
    }
}

extension RiskState {
    /// Reads the risk state of an account.
    ///
    /// - Throws: ``PlatformError`` with `internal` for a row of another form.
    init(of account: String, in store: any StoreReader) throws {
        guard let row = try store.accountRisk(account) else {
            self.init()
            return
        }
        guard let state = try? RiskState(decoding: row.state) else { throw PlatformError(.internal) }
        self = state
    }
}
