internal import Primitives

/// The rows that an approval request is decided from, in one consistent state of the store. An account that does not
/// exist has only requests that wait.
struct ApprovalRows: Sendable {
    let name: AccountName
    /// The account; `nil` when it does not exist.
    let account: AccountRecord?
    /// The devices that can answer.
    let devices: [DeviceRecord]
    /// Whether the source has logged in before.
    let isSourceKnown: Bool
    /// The keyed hash of the source of the request, or of the session of an unknown source; empty if neither is named.
    let source: String
    /// The keyed hash of the end user's address; empty if the site names none.
    let address: String
    /// The keyed hashes of the sources that have logged in before.
    let knownSources: Set<String>
    /// The row of the risk; `nil` when nothing is remembered.
    let risk: AccountRiskRecord?
    /// The requests that wait, the oldest first.
    let pending: [ApprovalRecord]
    /// The suspension at the time of the read. A write requires the same one.
    let suspension: Suspension

    /// Whether a device has registered its notification channel. No request is announced to an account without one.
    /// Such an account is pending.
    var hasNotificationChannel: Bool { devices.contains { !$0.awaitsNotificationChannel } }

    init(
        _ parameters: ApprovalParameters, hashes: KeyedHashes, now: Timestamp, in store: any StoreReader
    ) throws {
        let name = parameters.account
        self.name = name
        account = try store.account(name.text)
        let state = try store.currentState()
        suspension = state.suspension
        let named = hashes.stored(source: parameters.risk.source, of: name.text)
        source = named.isEmpty ? hashes.stored(session: parameters.sessionID, of: name.text) : named
        address = parameters.risk.address.map { hashes.stored(address: $0, of: name.text) } ?? ""
        if let account {
            devices = try store.devices(of: account.name).filter { $0.isActivated && !$0.isSuspended(by: state) }
            knownSources = Set(
                try store.throttles(of: account.name).map(\.key.source).filter {
                    !["", ThrottleScope.overallSource].contains($0)
                })
            isSourceKnown = knownSources.contains(named)
            risk = try store.accountRisk(account.name)
        } else {
            (devices, knownSources, isSourceKnown, risk) = ([], [], false, nil)
        }
        pending = try store.pendingApprovals(of: name.text).filter { $0.state(at: now) == .pending }
    }
}
