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
    /// is opened later gets its policy from its configuration.
    ///
    /// - Parameters:
    ///   - policy: The policy.
    ///   - hash: The hash of the text that the policy was read from, at most 32 bytes. The entry has it as its reason,
    ///     in hexadecimal.
    /// - Throws: ``PlatformError`` with `malformedRequest` for a longer hash, `storeFailed`; `CancellationError`. The
    ///   earlier policy stays in use then.
    public func replacePolicy(with policy: Policy, hash: [UInt8]) async throws {
        guard hash.count <= 32 else { throw PlatformError(.malformedRequest) }
        let now = time.now()
        // The entry comes first: no decision is made by a policy that the log does not name.
        try await write { try $0.append(AuditEntry(time: now, event: .policyReplaced, reason: Hex.encode(hash))) }
        currentPolicy.replace(by: policy)
        logger.notice("the policy was replaced", metadata: ["policy.hash": "\(Hex.encode(hash))"])
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
