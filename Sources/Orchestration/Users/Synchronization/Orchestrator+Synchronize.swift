internal import OrchestrationProtocol

extension Orchestrator {
    /// Synchronizes a user on this device with the platform.
    ///
    /// The exchange brings the platform's clock, keys and capabilities, the policy for a new password, and the limits
    /// that an app shows. It moves the key ratchet and sends the counters of the device. It needs no password. A device
    /// that is locked because of wrong passwords may synchronize: it is unlocked on this device once the platform has
    /// unlocked it.
    ///
    /// Events: `.stepCompleted` once, `.warning`, and `.succeeded` with ``Outcome/synchronized(_:)``.
    ///
    /// - Parameters:
    ///   - user: The user id, or `user@domain`.
    ///   - domain: The domain; `nil` for the one in `user`, or the default one.
    /// - Returns: The flow, which starts when it is iterated. It throws `invalidUser`, `notActivated`, `revoked` and
    ///   `cloneSuspected` for a device that is known to be so, `transport`, `invalidAnswer`, the errors of the store and
    ///   the device key, and `CancellationError`.
    public nonisolated func synchronize(
        _ user: String, domain: String? = nil
    ) -> AsyncThrowingStream<FlowEvent, any Error> {
        FlowRunner<SynchronizationFlow>.stream(UserName(user, domain: domain), on: self)
    }
}

extension UserHandle {
    /// Synchronizes the user on this device with the platform.
    ///
    /// The same as ``Orchestrator/synchronize(_:domain:)`` without the other events.
    ///
    /// - Returns: The values that an app shows.
    /// - Throws: The errors of the flow, including the error of its other end: `userLocked`, `suspended`, `revoked`,
    ///   `cloneSuspected`.
    @discardableResult
    public func synchronize() async throws -> SynchronizationResult {
        let flow = FlowRunner<SynchronizationFlow>.stream(name, on: orchestrator)
        guard case .synchronized(let result) = try await flow.result() else { throw OrchestrationError(.internal) }
        return result
    }

    /// The reason why an offline code or signature would be refused, as far as this device knows; `nil` when it knows
    /// no reason.
    ///
    /// The getter uses no network. The device cannot know whether the platform was restored, whether it has locked the
    /// device meanwhile, or which signatures it has accepted. See ``CodeValidity``.
    ///
    /// The getter throws `invalidUser`, and the errors of the store and the device key.
    public var needsSynchronization: SynchronizationReason? {
        get async throws {
            guard let record = try await record, record.state == .active else { return .notReady }
            if let reason = await orchestrator.clockReason(of: record) { return reason }
            return record.hasSignaturesAhead ? .signaturesAhead : nil
        }
    }
}

/// The reason why a device should synchronize before it makes a code or signature offline.
@nonexhaustive
public enum SynchronizationReason: String, Sendable, Hashable, Codable {
    /// The user is not ready on this device. See ``UserHandle/state``; a synchronization helps when the platform has
    /// unlocked the device.
    case notReady
    /// The latest answer contained another time, and no second answer has confirmed it. Codes use the previous time.
    case clockUncertain
    /// The clock of the device was set since the platform's time was confirmed. A time-based code would be for another
    /// time.
    case clockChanged
    /// The device has made more signatures since its latest synchronization than the platform looks for.
    case signaturesAhead
}

extension UserRecord {
    /// Whether the platform may not find the next signature. Counter-based one-time passwords are not considered,
    /// because a synchronization does not help with them. The user types two in succession instead.
    fileprivate var hasSignaturesAhead: Bool {
        applications.contains { application in
            guard application.kind == .signature else { return false }
            let index = application.index.rawValue
            let (next, known) = (counters[index, default: 0], synchronizedCounters[index, default: 0])
            return next > known && next - known > UInt64(CodeWindow.lookAhead)
        }
    }
}
