internal import Primitives

/// The rows that an approval request is decided from, in one consistent state of the store.
///
/// The reads are the same for an account that does not exist. Another account is read in its place, and a shared row in
/// the place of its risk state; both have no effect.
struct ApprovalRows: Sendable {
    let name: AccountName
    /// The account; `nil` when it does not exist.
    let account: AccountRecord?
    /// The devices that can answer.
    let devices: [DeviceRecord]
    /// Whether the source has logged in before.
    let isSourceKnown: Bool
    /// The keyed hash of the source, or of the session of an unknown source; empty where neither is named.
    let source: String
    /// The keyed hashes of the sources that have logged in before.
    let knownSources: Set<String>
    /// The row of the risk; `nil` when nothing is remembered.
    let risk: AccountRiskRecord?
    /// The account of the row of the risk.
    let riskAccount: String
    /// The requests that wait, the oldest first.
    let pending: [ApprovalRecord]
    /// The version of the row about the platform.
    let stateVersion: Int64

    init(
        _ parameters: ApprovalParameters, hashes: KeyedHashes, now: Timestamp, in store: any StoreReader
    ) throws {
        let name = parameters.account
        self.name = name
        let nearest = try ifUnaltered { try store.account(atOrBefore: name.text) }
        account = nearest?.name == name.text ? nearest : nil
        riskAccount = account?.name ?? Decoys.throttleAccount(for: name)
        let state = try store.presentState()
        stateVersion = state.version
        let rows = try store.devices(of: nearest?.name ?? Decoys.account)
        devices = account == nil ? [] : rows.filter { $0.isActivated && !$0.isSuspended(by: state) }
        let source = hashes.stored(source: parameters.risk.source, of: riskAccount)
        self.source = source.isEmpty ? hashes.stored(session: parameters.sessionID, of: riskAccount) : source
        knownSources = Set(
            try store.throttles(of: riskAccount).map(\.key.source).filter {
                !["", ThrottleScope.overallSource].contains($0)
            })
        isSourceKnown = account != nil && knownSources.contains(source)
        let riskAccount = riskAccount
        // Without this row the account would leave the strict mode, so that an altered one ends the request.
        risk = try store.accountRisk(riskAccount)
        pending = try store.pendingApprovals(of: name.text).filter { $0.state(at: now) == .pending }
    }
}
