import Orchestration
import OrchestrationProtocol
import OrchestrationTesting
import Primitives
import Synchronization
import TrustedIdentity

/// Approval requests that are made and answered.
extension ApprovalWalk {
    /// Asks for an approval of a random kind.
    func ask() async throws {
        try await ask(
            kind: world.chance.pick([.login, .login, .transaction, .event]), source: world.chance.pick([nil, "a", "b"]))
    }

    /// Asks for an approval. The policy may refuse it.
    func ask(kind: ApprovalKind, source: String?) async throws {
        asked += 1
        var parameters = ApprovalParameters(
            kind, of: world.account, display: try display(kind), requestID: "\(asked)",
            lifetime: .seconds(world.chance.draw(20...300)), showsNumbers: world.chance.draw(0...1) == 0)
        parameters.risk.source = source
        let (report, wasLost) = try await persistently {
            do {
                return try await world.platform.requestApproval(parameters)
            } catch let error as PlatformError where error.code == .requestIDInUse {
                return try await world.platform.approval(requestID: parameters.requestID ?? "")
            }
        }
        world.trace.add("\(kind) asked: \(report.status)")
        world.tally.count("asked.\(report.status)\(report.declineReason.map { ".\($0)" } ?? "")")
        guard report.status == .pending else { return }
        world.tally.count("asked.\(kind)\(report.numberToMatch == nil ? "" : ".number")")
        if wasLost { world.tally.count("asked.lost") }
        requests.append(try AskedApproval(report, display: parameters.display))
    }

    private func display(_ kind: ApprovalKind) throws -> DisplayData {
        guard kind == .transaction else { return try DisplayData([.field(label: "Browser", value: "Zoë's laptop")]) }
        return try DisplayData([
            .amount(Amount("\(world.chance.draw(1...60)).50")), .currency(Currency("EUR")), .creditor("Zoë"),
        ])
    }

    /// Answers a request on a device: the one that a pointer names, or one of the list.
    func answer(_ place: Int) async throws {
        guard !requests.isEmpty else { return }
        let recent = max(0, requests.count - 4)
        let request = world.chance.draw(recent...(requests.count - 1))
        try await answer(place, request: request, decision: decision())
    }

    /// Answers a request on both devices: one of them while the answer of the other is under way.
    func race() async throws {
        guard let request = requests.indices.last else { return }
        world.tally.count("raced")
        let first = world.chance.draw(0...1)
        let second = Answering(
            requests[request], decision: decision(), process: devices[1 - first].process, trace: world.trace)
        let isBeforeArrival = world.chance.draw(0...1) == 0
        try await answer(first, request: request, decision: decision()) { [network = world.network] in
            network.meanwhile(
                WalkNetwork.Meanwhile(isBeforeArrival: isBeforeArrival) { await second.run(leavingAfter: nil) })
        }
        world.network.meanwhile(nil)
        guard let run = try second.result() else { return }
        try await judge(run, of: 1 - first, request, second.decision)
    }

    /// Answers a request.
    ///
    /// - Parameter between: Runs after the decision, before the answer is sent.
    func answer(
        _ place: Int, request: Int, decision: WalkDecision, between: @escaping @Sendable () -> Void = {}
    ) async throws {
        let answering = Answering(
            requests[request], decision: decision, process: devices[place].process, trace: world.trace, between: between
        )
        let leavingAfter = isInterrupted && world.chance.happens(8) ? world.chance.draw(1...3) : nil
        if world.chance.draw(0...3) == 0 {
            await answering.run(opening: world.account.text, leavingAfter: leavingAfter)
        } else {
            await answering.run(leavingAfter: leavingAfter)
        }
        guard let run = try answering.result() else { throw world.failure("a flow did not run") }
        try await judge(run, of: place, request, decision)
    }

    /// Takes the last request back, as an application server does.
    func cancel() async throws {
        guard let request = requests.indices.last, !requests[request].isBeforeRestore else { return }
        let requestID = requests[request].requestID
        _ = try await persistently {
            do {
                _ = try await world.platform.cancelApproval(requestID: requestID)
            } catch let error as PlatformError where [.approvalEnded, .unknownApproval].contains(error.code) {
                // It has ended, perhaps long ago.
            }
        }
        world.trace.add("canceled")
    }

    private func decision() -> WalkDecision {
        switch world.chance.draw(0...99) {
        case 0..<68: .approve
        case 68..<78: .approveWithWrongNumber
        case 78..<88: .reject(.canceled)
        case 88..<94: .reject(.wrongData)
        case 94..<95: .reject(.notMe)
        default: .none
        }
    }

    /// Repeats a call of the platform when its store fails.
    private func persistently<R>(_ call: () async throws -> R) async throws -> (value: R, wasLost: Bool) {
        var wasLost = false
        for _ in 0..<20 {
            do {
                return (try await call(), wasLost)
            } catch let error as PlatformError where error.code == .storeFailed {
                wasLost = true
            }
        }
        throw world.failure("the platform never decides")
    }
}

/// A flow that answers one approval request.
final class Answering: Sendable {
    let decision: WalkDecision
    private let asked: AskedApproval
    private let process: Orchestrator
    private let trace: WalkTrace
    private let between: @Sendable () -> Void
    private let ended = Mutex<Result<FlowRun, any Error>?>(nil)

    init(
        _ asked: AskedApproval, decision: WalkDecision, process: Orchestrator, trace: WalkTrace,
        between: @escaping @Sendable () -> Void = {}
    ) {
        self.asked = asked
        self.decision = decision
        self.process = process
        self.trace = trace
        self.between = between
    }

    /// Returns the flow's run; `nil` before its end.
    ///
    /// - Throws: `FlowContractError`.
    func result() throws -> FlowRun? { try ended.withLock { try $0?.get() } }

    /// Runs the flow in a task of its own, because the waiting task may be canceled meanwhile.
    ///
    /// - Parameter user: Opens the request as this user, instead of the pointer.
    func run(opening user: String? = nil, leavingAfter limit: Int?) async {
        let result = await Task { () -> Result<FlowRun, any Error> in
            let stream = user.map { process.openApproval(asked.id, for: $0) } ?? process.execute(asked.pointer)
            do {
                return .success(try await FlowRun.of(stream, leavingAfter: limit, deciding: decide))
            } catch {
                return .failure(error)
            }
        }.value
        ended.withLock { $0 = result }
        trace.add("\(decision): \((try? result.get().word) ?? "breaks the contract")")
    }

    private func decide(_ request: ApprovalRequest) throws {
        guard request.id == asked.id, request.display == asked.display, request.requestID == asked.requestID,
            (request.digits > 0) == (asked.number != nil)
        else { throw FlowContractError("another request is shown") }
        try decision.record(in: request, number: asked.number)
        between()
    }
}
