internal import Primitives

/// One run of a verb: a kind, and steps that return events.
///
/// A ``FlowRunner`` performs the steps in the task of the consumer. The runner owns the account, the lease, the pending
/// events, supersession and wiping; a flow adds its steps only. A flow is confined to its runner and holds no lock
/// between two steps.
protocol RunnableFlow: AnyObject, SendableMetatype {
    /// The parameters of the verb.
    associatedtype Parameters: Sendable

    /// Creates a flow.
    ///
    /// The method checks the parameters and has no effect: the flow has no lease yet.
    ///
    /// - Returns: The flow, and its subject. The newest flow of a subject supersedes the older ones.
    static func make(
        _ parameters: Parameters, on orchestrator: Orchestrator
    ) throws -> (flow: Self, subject: FlowSubject)

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

extension RunnableFlow {
    func cleanUp() async {}
}

/// A flow of one account that the parameters name. Its subject is the account.
protocol Flow: RunnableFlow {
    // Declared again, so that the initializer determines it.
    override associatedtype Parameters: FlowParameters

    /// The kind. The newest flow of a kind for an account supersedes the older ones.
    static var kind: FlowKind { get }

    /// Creates a flow.
    ///
    /// The initializer checks the parameters and has no effect: the flow has no lease yet.
    init(_ parameters: Parameters, account: AccountName, orchestrator: Orchestrator) throws
}

extension Flow {
    static func make(
        _ parameters: Parameters, on orchestrator: Orchestrator
    ) throws -> (flow: Self, subject: FlowSubject) {
        let account = try orchestrator.environment.account(parameters.user)
        let flow = try Self(parameters, account: account, orchestrator: orchestrator)
        return (flow, FlowSubject(kind, of: account))
    }
}

/// The subject of a flow: a kind, with an account or an approval request.
struct FlowSubject: Sendable, Hashable {
    private enum Object: Sendable, Hashable {
        case account(AccountName)
        case command([UInt8])
    }

    /// The kind of the flow.
    let kind: FlowKind
    private let object: Object

    init(_ kind: FlowKind, of account: AccountName) {
        self.kind = kind
        object = .account(account)
    }

    /// Creates the subject of a flow whose account is not known before it starts.
    init(_ kind: FlowKind, of id: [UInt8]) {
        self.kind = kind
        object = .command(id)
    }
}

/// The parameters of a verb: a user, and what the verb needs besides.
protocol FlowParameters: Sendable {
    /// The user.
    var user: UserName { get }
}

/// The name of a kind of flow.
struct FlowKind: Sendable, Hashable {
    let name: String

    init(_ name: String) { self.name = name }
}
