/// What a flow tells its consumer.
///
/// A flow that runs to its end carries exactly one terminal event, ``succeeded(_:)``, ``outdated(_:)`` or
/// ``aborted(_:)``, and it is the last. A flow that throws, that is canceled or that is left has none.
///
/// The events of a flow are pulled: nothing happens between two events until the consumer asks for the next one. What
/// an event reports is already durable, on the device and (where the event says so) on the platform; leaving the loop
/// at any event leaves no half state.
///
/// Later versions may add cases; write a `default:` when you switch over events that you only log.
public enum FlowEvent: Sendable {
    /// A command went to the platform and its answer was accepted (requirements D9, E4).
    case stepCompleted(FlowStep)

    /// Something the user entered was refused. Unless the next event is terminal, the provider is asked again with
    /// the reason (requirement C3).
    case inputRejected(InputRejection)

    /// A one-time password is ready to be shown. The flow goes on with housekeeping over the network and ends with
    /// ``succeeded(_:)``, which carries the same code; show it now, do not wait (requirements H1, H6).
    case oneTimePasswordReady(OneTimePasswordResult)

    /// Something the app or the user should know and that does not stop the flow (requirement C2).
    case warning(Warning)

    /// Terminal: done, and this is the outcome.
    case succeeded(Outcome)

    /// Terminal: what the flow was about is over (requirement F11 and PROTOCOL §2).
    case outdated(OutdatedReason)

    /// Terminal: ended without an outcome, by the user or by a refusal.
    case aborted(AbortCause)

    /// Whether this is the last event of its flow.
    public var isTerminal: Bool {
        switch self {
        case .succeeded, .outdated, .aborted: true
        case .stepCompleted, .inputRejected, .oneTimePasswordReady, .warning: false
        }
    }
}
