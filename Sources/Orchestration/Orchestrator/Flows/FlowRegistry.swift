/// The right of a flow to perform its next step, until a newer flow of its subject takes it over.
struct FlowLease: Sendable, Hashable {
    fileprivate let subject: FlowSubject
    fileprivate let number: UInt64
}

/// The running flows: for each subject, the newest.
///
/// A lease is not a lock. A flow whose consumer pauses does not make another flow wait.
struct FlowRegistry: Sendable {
    private var newest: [FlowSubject: UInt64] = [:]
    private var number: UInt64 = 0

    /// Starts a flow, which supersedes the current flow of its subject.
    mutating func start(_ subject: FlowSubject) -> FlowLease {
        number += 1
        newest[subject] = number
        return FlowLease(subject: subject, number: number)
    }

    /// Whether the flow with this lease is the newest one of its subject.
    func holds(_ lease: FlowLease) -> Bool { newest[lease.subject] == lease.number }

    /// Ends a flow. A newer flow of its subject stays.
    mutating func end(_ lease: FlowLease) {
        if holds(lease) { newest[lease.subject] = nil }
    }
}
