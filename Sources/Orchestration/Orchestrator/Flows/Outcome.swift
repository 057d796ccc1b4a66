/// The outcome of a flow that succeeded.
///
/// An app that needs only the outcome gets it as a typed value from the calls of ``UserHandle``.
@nonexhaustive
public enum Outcome: Sendable {
    /// The user is activated on this device. The account is complete, unless the activation was asked not to register
    /// the pull channel.
    case activated(UserInformation)

    /// The notification identifier is registered.
    case notificationsRegistered(UserInformation)

    /// A one-time password was made.
    case oneTimePasswordMade(OneTimePasswordResult)

    /// The fields of a transaction were signed.
    case signatureMade(LocalSignature)

    /// Data was sealed.
    case sealMade(OfflineSeal)

    /// The device is synchronized with the platform.
    case synchronized(SynchronizationResult)

    /// The platform has accepted the answer to an approval request.
    case approvalAnswered(AnsweredApproval)

    /// The password was changed on this device.
    case passwordChanged(UserInformation)

    /// The user has a new password on this device, and a lock after wrong passwords has ended.
    case unlocked(UserInformation)

    /// The move to another device has begun.
    case moveBegun(DeviceMove)

    /// A method is enrolled on this device.
    case methodEnrolled(UserInformation)

    /// A method is removed on this device, or on all devices of the user.
    case methodRemoved(UserInformation)

    /// A reply of the platform was delivered to the flow that waits for it. The events of that flow continue in its own
    /// loop.
    case replyDelivered
}

extension AsyncThrowingStream<FlowEvent, any Error> {
    /// Runs the flow to its end and returns its outcome. The other events are dropped.
    ///
    /// - Returns: The outcome in ``FlowEvent/succeeded(_:)``.
    /// - Throws: The errors of the flow, including the errors of the other two terminal events; `undecided` for a flow
    ///   that asks for a decision; `CancellationError` when the task was canceled, also between two events, where the
    ///   stream itself ends without an error.
    package func result() async throws -> Outcome {
        for try await event in self {
            if case .approvalRequired = event { throw OrchestrationError(.undecided) }
            if let outcome = try event.outcome() { return outcome }
        }
        throw CancellationError()
    }
}

extension FlowEvent {
    /// Returns the outcome of a flow that succeeded; `nil` for an event that is not terminal.
    ///
    /// - Throws: The error of an aborted or outdated flow.
    func outcome() throws(OrchestrationError) -> Outcome? {
        switch self {
        case .succeeded(let outcome): return outcome
        case .outdated(let error), .aborted(let error): throw error
        case .stepCompleted, .inputRejected, .oneTimePasswordReady, .signatureReady, .sealReady, .enrollmentProgressed,
            .warning,
            .approvalRequired:
            return nil
        }
    }
}
