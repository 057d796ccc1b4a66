internal import Primitives

/// The right of a flow to perform its next step, until a newer flow of its kind for its account takes it over.
struct FlowLease: Sendable, Hashable {
    fileprivate let run: FlowRegistry.Run
    fileprivate let number: UInt64
}

/// The running flows: for each kind and account, the newest.
///
/// A lease is no lock. A flow whose consumer pauses does not make another flow wait.
struct FlowRegistry: Sendable {
    fileprivate struct Run: Sendable, Hashable {
        let kind: FlowKind
        let account: AccountName
    }

    private var newest: [Run: UInt64] = [:]
    private var number: UInt64 = 0

    /// Starts a flow, which supersedes the one of its kind for its account.
    mutating func start(_ kind: FlowKind, for account: AccountName) -> FlowLease {
        let run = Run(kind: kind, account: account)
        number += 1
        newest[run] = number
        return FlowLease(run: run, number: number)
    }

    /// Whether no newer flow has superseded the one with this lease.
    func holds(_ lease: FlowLease) -> Bool { newest[lease.run] == lease.number }

    /// Ends a flow. A newer one stays.
    mutating func end(_ lease: FlowLease) {
        if holds(lease) { newest[lease.run] = nil }
    }
}
