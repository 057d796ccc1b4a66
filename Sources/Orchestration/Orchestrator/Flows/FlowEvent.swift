public import OrchestrationProtocol

/// An event of a flow.
///
/// A flow that runs to its end has exactly one terminal event, ``succeeded(_:)``, ``outdated(_:)`` or ``aborted(_:)``,
/// and it is the last one. A flow that throws, is canceled or is left sends no terminal event.
///
/// The consumer pulls the events: nothing happens between two events until the consumer asks for the next one. The
/// effect that an event reports is durable, on the device and, where the event states so, at the platform. Leaving the
/// loop at any event leaves no half state.
///
/// Later versions may add cases. A `switch` needs an `@unknown default`; a case that is new to the app is never
/// terminal, so the app can ignore it.
@nonexhaustive
public enum FlowEvent: Sendable {
    /// A command was sent to the platform, and its answer was accepted.
    case stepCompleted(FlowStep)

    /// The input of the user was rejected. Unless the next event is terminal, the provider is asked again, with the
    /// reason.
    case inputRejected(InputRejection)

    /// A one-time password is ready. Show it now. The flow continues over the network, and ends with ``succeeded(_:)``
    /// and the same result.
    case oneTimePasswordReady(OneTimePasswordResult)

    /// The signature of a transaction is ready. Show it now. The flow continues over the network, and ends with
    /// ``succeeded(_:)`` and the same signature.
    case signatureReady(LocalSignature)

    /// The seal is ready. Show it now. The flow continues over the network, and ends with ``succeeded(_:)`` and the
    /// same seal.
    case sealReady(OfflineSeal)

    /// The user is asked to approve a login, transaction or event. Show the request, let the user decide, and await
    /// ``ApprovalRequest/approve(number:)`` or ``ApprovalRequest/reject(_:by:)`` before the next event is asked for. The
    /// events of the answer follow.
    case approvalRequired(ApprovalRequest)

    /// A step of a method enrollment is done, and another one follows. Show the progress.
    case enrollmentProgressed(MethodEnrollment.Step)

    /// A condition that the app or the user should know about. It does not end the flow.
    case warning(Warning)

    /// Terminal: the flow succeeded.
    case succeeded(Outcome)

    /// Terminal: the subject of the flow has expired, or was dealt with elsewhere. The error contains the text for the
    /// user.
    case outdated(OrchestrationError)

    /// Terminal: the flow ended without an outcome, by the user or by a refusal. The error contains the text for the
    /// user and the recovery.
    case aborted(OrchestrationError)

    /// Whether the event is the last one of its flow.
    package var isTerminal: Bool {
        switch self {
        case .succeeded, .outdated, .aborted: true
        case .stepCompleted, .inputRejected, .oneTimePasswordReady, .signatureReady, .sealReady, .approvalRequired,
            .warning, .enrollmentProgressed:
            false
        }
    }
}

// The end of a flow by a failure.
extension FlowEvent {
    /// The error of a terminal event other than success; `nil` for any other event.
    package var failure: OrchestrationError? {
        switch self {
        case .outdated(let error), .aborted(let error): error
        case .stepCompleted, .inputRejected, .oneTimePasswordReady, .signatureReady, .sealReady, .approvalRequired,
            .warning, .enrollmentProgressed, .succeeded:
            nil
        }
    }

    /// The terminal event of an error.
    static func ended(_ error: OrchestrationError) -> FlowEvent {
        OrchestrationError.Code.outdated.contains(error.code) ? .outdated(error) : .aborted(error)
    }

    static func aborted(
        _ code: OrchestrationError.Code, fileID: String = #fileID, line: Int = #line
    ) -> FlowEvent {
        .aborted(OrchestrationError(code, fileID: fileID, line: line))
    }
}

/// A completed round trip of a flow, for progress bars and logs.
public struct FlowStep: Sendable, CustomStringConvertible {
    /// The purpose of the round trip. It may differ from the kind of the flow.
    let kind: FlowKind

    /// The number of the step in its flow, from 1.
    public let number: Int

    /// The number of steps of such a flow.
    public let total: Int

    /// The command as it was sent. Its description is safe to log; the bytes of the first command of an activation name
    /// the user.
    public let command: OrchestrationCommand

    /// The kind, the number and the total, for example `activation 2/4`.
    public var description: String { "\(kind.name) \(number)/\(total)" }
}
