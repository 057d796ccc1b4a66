import Crypto
import OrchestrationProtocol
import OrchestrationTesting
import Primitives
import Testing

@testable import TrustedIdentity

extension Authenticator {
    /// Fetches an approval request and verifies it as a device does.
    func fetch(_ report: ApprovalReport, from harness: Harness) async throws -> FetchedApproval {
        let id = try #require(report.id)
        let answer = try await send(.approvalFetch(id: id), to: harness)
        guard case .accepted(let body) = answer.result, let fetched = body.answer(to: ApprovalFetchMessage.self) else {
            throw RefusedApproval(code: answer.refusal)
        }
        let verified = try ApprovalRequestContent.verified(
            fetched.request, keys: platformKeys, device: address, id: id)
        return FetchedApproval(content: verified.message, hash: verified.receiptHash)
    }

    /// Signs an answer.
    func answer(
        _ approval: FetchedApproval, _ decision: ApprovalDecision, method: AuthenticationMethod? = nil,
        fallback: FallbackReason? = nil, number: String? = nil, clockError: Int64 = 0, with harness: Harness
    ) async throws -> Sign1 {
        let requested = decision == .approved ? approval.content.approvalMethod : approval.content.rejectionMethod
        let content = ApprovalAnswerContent(
            deviceID: id, requestHash: approval.hash, method: method ?? requested, fallback: fallback,
            decision: decision, number: number, time: harness.time.now().advanced(milliseconds: clockError))
        let key = methods[content.method]?.key ?? key
        return try await content.signed { bytes in Array(try key.signature(for: bytes).rawRepresentation) }
    }

    /// Sends an answer beside the proof of an instance.
    func send(
        _ answer: Sign1, proof: Instance? = .password, wrong: Bool = false, to harness: Harness
    ) async throws -> AnswerMessage {
        try await send(.approvalAnswer(answer), proof: proof, wrong: wrong, to: harness)
    }

    /// Fetches an approval request, decides, and sends the answer.
    ///
    /// - Parameter method: The method; `nil` for the requested one.
    @discardableResult
    func decide(
        _ decision: ApprovalDecision, on report: ApprovalReport, by method: AuthenticationMethod? = nil,
        number: String? = nil, with harness: Harness
    ) async throws -> AnswerMessage {
        let approval = try await fetch(report, from: harness)
        let requested = decision == .approved ? approval.content.approvalMethod : approval.content.rejectionMethod
        let method = method ?? requested
        let answer = try await answer(
            approval, decision, method: method, fallback: method == requested ? nil : .chosenByUser, number: number,
            with: harness)
        return try await send(answer, proof: Instance(of: method), to: harness)
    }
}

/// An approval request that a device has verified.
struct FetchedApproval {
    let content: ApprovalRequestContent
    let hash: [UInt8]
}

/// The refusal of a fetch.
struct RefusedApproval: Error, Equatable {
    let code: RefusalCode?
}

extension Harness {
    /// Asks a user to approve a login.
    func requestLogin(
        _ user: String = alice, source: String? = nil, session: String = "", requestID: String? = nil,
        showsNumbers: Bool = false, principal: String = "", address: String? = nil
    ) async throws -> ApprovalReport {
        try await platform.requestApproval(
            ApprovalParameters(
                .login, of: Self.account(user), sessionID: session, requestID: requestID,
                principal: principal.isEmpty ? nil : ApprovalPrincipal(id: principal, name: "Site \(principal)"),
                showsNumbers: showsNumbers,
                risk: RiskInput(source: source, address: address.flatMap { NetworkAddress($0) })))
    }

    /// Asks a user to approve a payment in euros.
    func requestPayment(
        _ amount: String, to creditor: String = "ACME", _ user: String = alice, showsNumbers: Bool = false
    ) async throws -> ApprovalReport {
        let display = try DisplayData([.amount(Amount(amount)), .currency(Currency("EUR")), .creditor(creditor)])
        return try await platform.requestApproval(
            ApprovalParameters(
                .transaction, of: Self.account(user), display: display, showsNumbers: showsNumbers))
    }

    func status(of report: ApprovalReport, principal: String = "") async throws -> ApprovalReport {
        try await platform.approval(requestID: report.requestID, of: principal)
    }
}

extension AnswerMessage {
    /// The receipt of an accepted answer.
    var receipt: ReceiptParts? {
        guard case .accepted(let body) = result else { return nil }
        return body.answer(to: ApprovalAnswerMessage.self)?.receipt
    }
}
