import Orchestration

extension Story {
    /// Alice starts a login at the site without a code. Her device asks her, and she types the matching number.
    func approveALogin() async throws {
        let login = try await site.askToLogIn(alice.name)
        guard let number = login.numberToMatch else { throw Failure("the site got no number") }
        narrator.say(
            "Alice logs in without a code. The site shows the number \(number), and her device gets a pointer.",
            see: "Sources/TrustedIdentity/Approvals/Requests/Platform+RequestApproval.swift")
        for try await request in user.approvalRequests(over: device.stream) {
            show(request)
            alice.willType(alice.password)
            let approval = try await request.approve(number: number)
            narrator.say(
                "She compares what is shown, and types the number and her password: \(approval.decision).",
                see: "Sources/Orchestration/Approvals/ApprovalFlow.swift")
            break
        }
        let session = try await site.session(login.requestID)
        try narrator.check("login with a number", session.status, is: "accepted")
    }

    /// The device shows a payment that Alice did not want.
    func rejectAPayment() async throws {
        let payment = try await site.askToPay(alice.name, amount: "1250.00", to: "Unknown Shop")
        let shown = try OrchestrationCommand(text: payment.requestMessage ?? "").qrText
        let pointer = try OrchestrationCommand(qrText: shown)
        narrator.say(
            "A payment. The site shows a QR code with the pointer \(shown), which the app scans.",
            see: "Sources/Orchestration/Approvals/Orchestrator+Execute.swift")
        let request = try await request(of: user.execute(pointer))
        show(request)
        alice.willType(alice.password)
        let approval = try await request.reject(.wrongData)
        let session = try await site.session(payment.requestID)
        narrator.say(
            "She does not know it. Her decision: \(approval.decision). The site gets the reason.",
            see: "Sources/TrustedIdentity/Devices/Messages/ApprovalAnswerHandler.swift")
        try narrator.check("rejected payment", session.status, is: "refused")
        try narrator.check("reason of the rejection", session.declineReason ?? "none", is: "wrongData")
    }

    /// Alice approves another payment. The site verifies the receipt with the published keys of the platform.
    func approveAPayment() async throws {
        let payment = try await site.askToPay(
            alice.name, amount: "49.90", to: "Bookshop", account: "DE89370400440532013000")
        narrator.say(
            "Another payment. After a rejection nothing is pushed for a minute, so she opens the app, which lists it.",
            see: "Sources/TrustedIdentity/Policy/Risk/PushLimits.swift")
        guard let summary = try await user.pendingApprovals().first else { throw Failure("nothing waits") }
        let request = try await request(of: user.openApproval(summary.id))
        show(request)
        alice.willType(alice.password)
        let approval = try await request.approve(number: payment.numberToMatch)
        let session = try await site.session(payment.requestID)
        try narrator.check("payment", session.status, is: "accepted")
        try narrator.check("receipts of site and device are equal", session.receipt == approval.receipt.text, is: true)
        let statement = try Receipt(text: session.receipt ?? "").verify(with: try await site.platformKeys())
        narrator.say(
            "The site keeps a receipt of \(approval.receipt.bytes.count) bytes. It verifies offline, and states:",
            see: "Sources/OrchestrationProtocol/Receipts/Receipt+Verification.swift")
        narrator.show(
            [("From", statement.principal.name), ("Account", statement.account), ("Outcome", "\(statement.outcome)")]
                + statement.display.lines().map { ($0.label ?? "", $0.text) })
        try narrator.check("outcome in the receipt", statement.outcome, is: .approved)
    }

    /// Alice on her device.
    private var user: UserHandle { device.orchestrator.user(alice.name) }

    /// Returns the request that a pointer or an id opened.
    private func request(of execution: UserHandle.Execution) throws -> ApprovalRequest {
        guard case .approvalRequest(let request) = execution else { throw Failure("the device opened \(execution)") }
        return request
    }

    /// Shows a request as a table.
    private func show(_ request: ApprovalRequest) {
        narrator.show(
            [("From", request.principal.name), ("The device asks", request.heading)]
                + request.lines.map { ($0.label ?? "", $0.text) })
    }
}
