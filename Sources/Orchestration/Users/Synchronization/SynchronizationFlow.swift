internal import OrchestrationProtocol
public import Primitives

/// The result of a synchronization.
public struct SynchronizationResult: Sendable, Hashable {
    /// The platform's clock minus the device's, as codes are made with it.
    public let clockOffset: Duration

    /// The number of wrong passwords that lock the device, 1 or more. A right password raises it.
    public let remainingTries: Int

    /// The number of activated devices of the account, including this one. Locked devices count.
    public let devices: Int

    /// The number of activated devices that an account may have.
    public let maximumDevices: Int

    /// The platform's policy for a new password. ``UserInformation/passwordPolicy`` is the policy of the current
    /// password, which stays valid.
    public let newPasswordPolicy: PINPolicy
}

extension SynchronizationResult {
    /// - Throws: `invalidAnswer` for a policy outside its limits.
    init(_ acceptance: ChannelReply.Acceptance) throws(OrchestrationError) {
        guard let answer = acceptance.body.answer(to: SynchronizeMessage.self), let policy = answer.policy.policy else {
            throw OrchestrationError(.invalidAnswer)
        }
        clockOffset = .milliseconds(acceptance.offset.milliseconds)
        remainingTries = Int(clamping: answer.tries)
        devices = Int(clamping: answer.devices)
        maximumDevices = Int(clamping: answer.maximumDevices)
        newPasswordPolicy = policy
    }
}

/// The flow of ``Orchestrator/synchronize(_:domain:)``: one exchange, or two where the clock of the device was set.
struct SynchronizationFlow: Flow {
    static let kind = FlowKind("synchronization")

    private let account: AccountName
    private let orchestrator: Orchestrator

    init(_ parameters: UserName, account: AccountName, orchestrator: Orchestrator) {
        self.account = account
        self.orchestrator = orchestrator
    }

    func run(_ events: FlowEvents) async throws -> [FlowEvent] {
        switch try await orchestrator.environment.vault.record(account)?.state {
        case nil, .pending, .passwordProven: throw OrchestrationError(.notActivated)
        // The platform never serves such a device again.
        case .locked(.revoked): throw OrchestrationError(.revoked)
        case .locked(.cloneSuspected): throw OrchestrationError(.cloneSuspected)
        case .active, .locked: break
        }
        let session = ChannelSession(account: account, orchestrator: orchestrator)
        guard let reply = try await session.synchronizeWithClock(within: nil, allowsLocked: true) else {
            throw OrchestrationError(.internal)
        }
        let warnings = reply.warnings.map(FlowEvent.warning)
        switch reply.result {
        case .accepted(let acceptance):
            let step = FlowStep(kind: Self.kind, number: 1, total: 1, command: reply.command)
            return [.stepCompleted(step)] + warnings + [.succeeded(.synchronized(try .init(acceptance)))]
        case .refused(let refusal):
            return warnings + refusal.end
        }
    }
}
