internal import Primitives

/// One run of a verb: a kind and a course.
///
/// A ``FlowRunner`` runs the course in a task of the flow. The runner owns the lease and the events. A flow contains
/// its course only, and holds no lock while it waits for the consumer.
protocol RunnableFlow: SendableMetatype {
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

    /// Runs the course of the verb.
    ///
    /// The course sends the events of what it has done, and waits there until the consumer asks for the next one. A
    /// newer flow may supersede it there and nowhere else. The events of an effect that completes the flow are
    /// therefore returned, not sent. The course removes everything that it has made and that no record refers to, also
    /// when it is canceled.
    ///
    /// - Parameter events: The channel to the consumer.
    /// - Returns: The last events, a terminal one at the end.
    func run(_ events: FlowEvents) async throws -> [FlowEvent]
}

/// The end of a flow from within its course. The course throws it, and the flow ends with its events.
struct FlowEnd: Error {
    /// The last events of the flow, a terminal one at the end.
    let events: [FlowEvent]

    init(_ events: [FlowEvent]) { self.events = events }

    init(_ error: OrchestrationError, after warnings: [Warning] = []) {
        events = warnings.map(FlowEvent.warning) + [.ended(error)]
    }

    init(_ code: OrchestrationError.Code, fileID: String = #fileID, line: Int = #line) {
        self.init(OrchestrationError(code, fileID: fileID, line: line))
    }
}

/// A flow of one account that the parameters name. Its subject is the account.
protocol Flow: RunnableFlow {
    // Declared again to infer it from the initializer.
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

/// The parameters of a verb: a user, and what else the verb needs.
protocol FlowParameters: Sendable {
    /// The user.
    var user: UserName { get }
}

/// The name of a kind of flow, or of the purpose of a step.
struct FlowKind: Sendable, Hashable {
    let name: String

    init(_ name: String) { self.name = name }
}
