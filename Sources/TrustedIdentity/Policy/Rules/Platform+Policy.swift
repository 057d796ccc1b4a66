internal import Logging
internal import OrchestrationProtocol
internal import Primitives
internal import Synchronization

extension Platform {
    /// The policy at this moment.
    var policy: Policy { currentPolicy.policy }

    /// Replaces the policy, and writes an entry into the audit log. Requests that wait for an answer keep the rules that
    /// they were made with.
    ///
    /// The new policy is in use until the process ends, and for each ``acting(for:)`` of this platform. A platform that
    /// is opened later gets its policy from its configuration. Of several processes that share a database, the others
    /// are not ready until each of them has the new policy: see ``Readiness/Part/policy``.
    ///
    /// - Parameters:
    ///   - policy: The policy.
    ///   - hash: The hash of the text that the policy was read from, at most 32 bytes. It is the reason of the entry,
    ///     in hexadecimal.
    /// - Throws: ``PlatformError`` with `malformedRequest` for a longer hash, `storeFailed`; `CancellationError`. The
    ///   previous policy then stays in use.
    public func replacePolicy(with policy: Policy, hash: [UInt8]) async throws {
        guard hash.count <= 32 else { throw PlatformError(.malformedRequest) }
        let now = time.now()
        // The entry is written first: no decision may be made by a policy that the log does not name.
        let canonicalHash = sharedHash(of: policy)
        try await write { store in
            try store.put(policyHash: canonicalHash)
            try store.append(AuditEntry(time: now, event: .policyReplaced, reason: Hex.encode(hash)))
        }
        currentPolicy.replace(by: policy)
        logger.notice("the policy was replaced", metadata: ["policy.hash": "\(Hex.encode(hash))"])
    }

    /// Makes this platform's policy the one that all processes that share the database must have. It does so if there
    /// is none yet, or if no other process had the database open when this process opened it: the policy may have
    /// changed while no process was running. ``Maintenance`` calls it once. If one process uses the database alone, it
    /// does nothing.
    ///
    /// A policy that differs from the stored one is logged. This process is not ready until both are the same.
    func notePolicy() async throws {
        guard let peers = store.database.peers, let hash = sharedHash(of: policy) else { return }
        let isFirst = peers.isFirst
        let isSame = try await write { store in
            let stored = try store.currentState().policyHash
            guard isFirst || stored == nil else { return stored == hash }
            try store.put(policyHash: hash)
            return true
        }
        guard !isSame else { return }
        logger.error("the policy differs from the one of the other processes")
    }

    /// Returns the hash that other processes compare; nil without other processes.
    func sharedHash(of policy: Policy) -> [UInt8]? {
        store.database.peers == nil ? nil : policy.canonicalHash
    }
}

extension StoreTransaction {
    /// Stores the policy hash; nil for a database of one process, which stores none.
    fileprivate func put(policyHash hash: [UInt8]?) throws {
        guard let hash else { return }
        var state = try currentState()
        guard state.policyHash != hash else { return }
        state.policyHash = hash
        try requireWritten(update(state))
    }
}

/// The policy of a running platform.
final class CurrentPolicy: Sendable {
    private let current: Mutex<Policy>

    init(_ policy: Policy) { current = Mutex(policy) }

    var policy: Policy { current.withLock { $0 } }

    func replace(by policy: Policy) { current.withLock { $0 = policy } }
}

extension Policy {
    /// The capabilities of a platform with this policy.
    var capabilities: Set<Capability> {
        var capabilities: Set<Capability> = [.oneTimePasswords, .challengeCodes, .signatures]
        if codes.hostCodes { capabilities.insert(.hostCodes) }
        if codes.seals { capabilities.insert(.seals) }
        return capabilities
    }
}
