internal import OrchestrationProtocol
internal import Primitives

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// A login, transaction or event that the platform asks the user to approve, exactly as the platform has signed it.
///
/// ``UserHandle/approvalRequests(over:pollingEvery:)`` returns the requests as they arrive; a flow of
/// ``Orchestrator/execute(_:)-(OrchestrationCommand)`` delivers one with ``FlowEvent/approvalRequired(_:)``. The
/// signature of the platform is verified already. Show the name of the ``principal`` above everything else, show
/// ``lines``, and ask the user. Then call ``approve(number:)`` or ``reject(_:by:)``, which run the rest of the flow.
///
/// All copies of the value share one decision. A request may be kept: it can be decided until it expires, even after
/// the loop was left.
///
/// Neither printing nor reflection shows what the user approves.
public struct ApprovalRequest: Sendable, Redacted {
    /// The id.
    public let id: ApprovalID

    /// The user who is asked.
    public let account: AccountName

    /// The kind: login, transaction or event.
    public let kind: ApprovalKind

    /// The application server that asks, as the platform has signed it. Show its name above everything else.
    public let principal: ApprovalPrincipal

    /// A heading for ``kind`` in the words of the app.
    public let heading: String

    /// The data that the user approves, as typed fields.
    public let display: DisplayData

    /// The data that the user approves, as lines to show in this order: show ``Line/displayed`` of each. A
    /// login may have none.
    public let lines: [Line]

    /// The session id of the application server; `nil` where it specified none.
    public let sessionID: String?

    /// The request id of the application server, or of the platform where the application server specified none.
    public let requestID: String

    /// The method that an approval needs.
    public let method: AuthenticationMethod

    /// The method that a rejection needs: the method of an approval, or possession.
    public let rejectionMethod: AuthenticationMethod

    /// The number of digits of the matching number, 2 to 8; 0 for a request without one.
    public let digits: Int

    /// The time at which the platform made the request, by its clock.
    public let created: Date

    /// The time until which the request can be answered, by the platform's clock. ``timeLeft`` does not depend on the
    /// clock of the device.
    public let expiry: Date

    let box = ApprovalDecisionBox()
    /// The flow that has delivered the request.
    var runner: FlowRunner<ApprovalFlow>?
    private let clock: ExpiryClock

    init(
        _ content: ApprovalRequestContent, account: AccountName, texts: PromptCatalog, clock: ExpiryClock
    ) {
        id = ApprovalID(checked: content.id)
        self.account = account
        kind = content.kind
        principal = content.principal
        heading = texts[content.kind.textKey]
        display = content.display
        lines = content.display.lines(in: texts)
        sessionID = content.sessionID.isEmpty ? nil : content.sessionID
        requestID = content.requestID
        method = content.approvalMethod
        rejectionMethod = content.rejectionMethod
        digits = content.digits
        created = content.created.date
        expiry = content.expiry.date
        self.clock = clock
    }
}

extension ApprovalRequest {
    /// The name of the principal, the heading and the lines as one text, for a prompt.
    var text: String { ([principal.displayed, heading] + lines.map(\.displayed)).joined(separator: "\n") }
}

// The decision.
extension ApprovalRequest {
    /// Approves what is shown: authenticates the user, sends the answer, and verifies the receipt.
    ///
    /// The user is asked by the provider of the ``method``, again after a wrong password. In a loop over a flow, await
    /// the call before the next event is asked for, or leave the loop: a loop that continues without a decision ends
    /// the flow.
    ///
    /// - Parameter number: The digits that the user read at the site and typed, exactly ``digits`` of them; `nil` where
    ///   the request does not ask for a number.
    /// - Returns: The answer that the platform has accepted, with its receipt.
    /// - Throws: `invalidNumber`, which states the required number of digits, and leaves the request undecided;
    ///   `alreadyDecided` for a second decision and after the end of the flow; `approvalExpired`, `approvalAnswered`,
    ///   `approvalReplaced`, `approvalCanceled`; `canceled` when the user cancels; the code of a refusal;
    ///   `providerUnavailable`, `passwordChanged`, `transport`, `invalidAnswer`, the errors of the store and the device
    ///   key. A call that is canceled throws `CancellationError`; `outcomeUnknown` when the answer was sent already.
    ///   The device keeps an answer whose outcome is unknown, and the next flow of the request sends it again.
    @discardableResult
    public func approve(number: String? = nil) async throws -> AnsweredApproval {
        try recordApproval(number: number)
        return try await finish()
    }

    /// Rejects what is shown: authenticates the user where the request asks for that, sends the answer, and verifies the
    /// receipt.
    ///
    /// A rejection by possession does not prove the user. After a rejection by another method with the reason `notMe`,
    /// the platform refuses unknown sources for a day.
    ///
    /// - Parameters:
    ///   - reason: The reason that the user gives. The application server gets it.
    ///   - method: The method by which the user rejects; `nil` for ``rejectionMethod``. It has an effect only where
    ///     ``rejectionMethod`` is possession. An enrolled method falls back to the password as in an approval.
    /// - Returns: The answer that the platform has accepted, with its receipt.
    /// - Throws: The errors of ``approve(number:)``, without `invalidNumber`.
    @discardableResult
    public func reject(_ reason: RejectionReason, by method: AuthenticationMethod? = nil) async throws
        -> AnsweredApproval
    {
        try recordRejection(reason, by: method)
        return try await finish()
    }

    private func finish() async throws -> AnsweredApproval {
        guard let runner else { throw OrchestrationError(.alreadyDecided) }
        do {
            guard case .approvalAnswered(let answer) = try await runner.finish() else {
                throw OrchestrationError(.internal)
            }
            box.noteAnswer(isSent: false)
            return answer
        } catch {
            guard box.noteFailure(), error is CancellationError else { throw error }
            throw OrchestrationError(.outcomeUnknown)
        }
    }

    /// Records an approval. The flow acts on it when its next event is asked for.
    func recordApproval(number: String? = nil) throws(OrchestrationError) {
        let typed = TypedDigits.of(number ?? "")
        guard typed.utf8.count == digits, typed.utf8.allSatisfy((UInt8(ascii: "0")...UInt8(ascii: "9")).contains) else {
            throw OrchestrationError(.invalidNumber(digits: digits))
        }
        try box.decide(ApprovalChoice(decision: .approved, number: digits == 0 ? nil : typed, method: nil))
    }

    /// Records a rejection. The flow acts on it when its next event is asked for.
    func recordRejection(
        _ reason: RejectionReason, by method: AuthenticationMethod? = nil
    ) throws(OrchestrationError) {
        let chosen = rejectionMethod == .possession ? method : nil
        try box.decide(ApprovalChoice(decision: .rejected(reason), number: nil, method: chosen))
    }
}

// The time that is left.
extension ApprovalRequest {
    /// The time until the request expires, by the platform's clock; zero after the expiry. A change of the device's
    /// clock has no effect.
    public var timeLeft: Duration { clock.timeLeft }

    /// A sequence of the remaining time in whole seconds, rounded up.
    ///
    /// The first value comes at once, followed by one each second, down to zero. The sequence ends after zero, and when
    /// its task is canceled.
    package var countdown: AsyncStream<Duration> { clock.countdown }
}

/// The time until an approval request expires, on a clock that is never set.
struct ExpiryClock: Sendable {
    private let time: any TimeSource
    /// The expiry on ``TimeSource/uptime()``.
    private let end: Duration

    /// Creates a clock.
    ///
    /// - Parameter platformTime: The platform's time now.
    init(expiry: Timestamp, platformTime: Timestamp, time: any TimeSource) {
        self.time = time
        end = time.uptime() + .milliseconds(expiry.milliseconds(since: platformTime))
    }

    var timeLeft: Duration { max(.zero, end - time.uptime()) }

    var countdown: AsyncStream<Duration> {
        let pace = CountdownPace()
        return AsyncStream {
            guard await pace.wait(self) else { return nil }
            return .seconds(wholeSeconds)
        }
    }

    /// The seconds that are left, rounded up.
    fileprivate var wholeSeconds: Int64 { (timeLeft.wholeMilliseconds + 999) / 1_000 }

    /// Waits until fewer whole seconds are left.
    ///
    /// - Returns: Whether the task continues.
    fileprivate func waitForNextSecond() async -> Bool {
        let part = timeLeft - .seconds(wholeSeconds - 1)
        return (try? await time.sleep(for: part)) != nil
    }
}

/// The pace of one countdown: the first value comes at once, and zero is the last one.
private actor CountdownPace {
    private enum State { case first, running, ended }
    private var state = State.first

    /// Waits until the next value is due, and returns whether there is one.
    func wait(_ clock: ExpiryClock) async -> Bool {
        switch state {
        case .ended: return false
        case .running:
            guard await clock.waitForNextSecond() else {
                state = .ended
                return false
            }
        case .first: state = .running
        }
        if clock.wholeSeconds == 0 { state = .ended }
        return true
    }
}
