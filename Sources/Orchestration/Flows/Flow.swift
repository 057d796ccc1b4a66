internal import Primitives

/// One run of a verb: a kind, and steps that return events.
///
/// A ``FlowRunner`` performs the steps in the task of the consumer. The runner owns the account, the lease, the pending
/// events, supersession and wiping; a flow adds its steps only. A flow is confined to its runner and holds no lock
/// between two steps.
protocol Flow: AnyObject, SendableMetatype {
    /// The parameters of the verb.
    associatedtype Parameters: FlowParameters

    /// The kind. The newest flow of a kind for an account supersedes the older ones.
    static var kind: FlowKind { get }

    /// Creates a flow.
    ///
    /// The initializer checks the parameters and has no effect: the flow has no lease yet.
    init(_ parameters: Parameters, account: AccountName, orchestrator: Orchestrator) throws

    /// Performs the next step.
    ///
    /// A newer flow may supersede this one between two steps, but never inside one. A step with an effect that
    /// completes the flow therefore returns the terminal event, too.
    ///
    /// - Returns: The events of the step, in order, a terminal event last. After a step without events the runner
    ///   performs the next one.
    func step() async throws -> [FlowEvent]

    /// Removes what the flow has made and no record refers to.
    ///
    /// The runner calls this method once, when the flow has ended in whatever way except that its stream was dropped.
    func cleanUp() async
}

extension Flow {
    func cleanUp() async {}
}

/// The parameters of a verb: a user, and what the verb needs besides.
protocol FlowParameters: Sendable {
    /// The user id, or `user@domain`.
    var user: String { get }

    /// The domain, or `nil` for the domain in ``user`` or the default domain.
    var domain: String? { get }
}

/// The name of a kind of flow.
struct FlowKind: Sendable, Hashable {
    let name: String

    init(_ name: String) { self.name = name }
}
