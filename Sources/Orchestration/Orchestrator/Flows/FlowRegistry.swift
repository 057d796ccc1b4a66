/// The right of a flow to perform its next step, until a newer flow of its subject takes it over.
struct FlowLease: Sendable, Hashable {
    fileprivate let subject: FlowSubject
    fileprivate let number: UInt64
}

/// The running flows: for each subject, the newest.
///
/// A lease is no lock. A flow whose consumer pauses does not make another flow wait.
struct FlowRegistry: Sendable {
    private var newest: [FlowSubject: UInt64] = [:]
    private var number: UInt64 = 0

    /// Starts a flow, which supersedes the one of its subject.
    mutating func start(_ subject: FlowSubject) -> FlowLease {
        number += 1
        newest[subject] = number
        return FlowLease(subject: subject, number: number)
    }

    /// Whether no newer flow has superseded the one with this lease.
    func holds(_ lease: FlowLease) -> Bool { newest[lease.subject] == lease.number }

    /// Ends a flow. A newer one stays.
    mutating func end(_ lease: FlowLease) {
        if holds(lease) { newest[lease.subject] = nil }
    }
}
