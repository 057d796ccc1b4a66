import OrchestrationProtocol
import OrchestrationTesting
import Primitives
import Testing
import TrustedIdentity

@testable import Orchestration

/// Decisions of a user on a device, as the application server gets them.
@Suite struct RemoteDecisionTests {
    @Test func `a login is approved with the number of the site and the password`() async throws {
        let scene = try await ApprovalScene(showsNumbers: true)
        let report = try await scene.platform.requestLogin("alice", showing: [.requester("Bank"), .place("Bern")])
        let number = try #require(report.numberToMatch)
        let run = try await scene.decide(report) { request in
            #expect((request.digits, request.method) == (6, .password))
            #expect(request.display.fields == [.requester("Bank"), .place("Bern")])
            #expect((request.principal.id, request.principal.name) == ("", "default"))
            #expect((request.requestID, request.sessionID) == (report.requestID, nil))
            #expect(request.timeLeft == .seconds(120))
            try await request.approve(number: number)
        }
        #expect(run.words == ApprovalRun.answeredWords(.login))
        let statement = try await scene.checkReceipt(run, of: report)
        #expect((statement.outcome, statement.number, statement.verifiedMethod) == (.approved, number, .password))
        #expect(statement.decisionRecord == report.decision)
        let ended = try await scene.platform.approval(report)
        #expect(ended.status == .accepted && ended.isOpened && ended.numberToMatch == nil)
        #expect(
            scene.stage.user.prompts.map(\.displayData) == [
                "\u{2068}default\u{2069}\nLogin\n\u{2068}Requested by\u{2069}: \u{2068}Bank\u{2069}\n\u{2068}Place\u{2069}: \u{2068}Bern\u{2069}"
            ])
    }

    @Test func `a wrong number ends the login as refused, and the receipt says so`() async throws {
        let scene = try await ApprovalScene(showsNumbers: true)
        let report = try await scene.platform.requestLogin("alice")
        let wrong = report.numberToMatch == "123456" ? "123457" : "123456"
        let run = try await scene.decide(report) { try await $0.approve(number: wrong) }
        #expect(run.words == ["approval 1/2", "approval: login", "aborted: wrongNumber"])
        let ended = try await scene.platform.approval(report)
        #expect((ended.status, ended.declineReason) == (.refused, .wrongNumber))
        let statement = try await scene.verifiedReceipt(of: report)
        #expect((statement.outcome, statement.number) == (.wrongNumber, wrong))
        // There is no second guess.
        let again = try await scene.decide(report) { try await $0.approve(number: report.numberToMatch) }
        #expect(again.words == ["outdated: approvalAnswered"])
        let kept = try await scene.kept()
        #expect(kept.isEmpty)
    }

    @Test(arguments: RejectionReason.allCases, [true, false])
    func `a rejection reaches the application server with its reason`(
        reason: RejectionReason, withPossession: Bool
    ) async throws {
        let user = ScriptedUser(withPossession ? [] : [.password(Stage.password)])
        let policy = try Self.policy(.password, rejectsWithPossession: withPossession)
        let scene = try await ApprovalScene(user: user, policy: policy)
        let report = try await scene.platform.requestLogin("alice")
        let run = try await scene.decide(report) { request in
            #expect(request.rejectionMethod == (withPossession ? .possession : .password))
            try await request.reject(reason)
        }
        #expect(run.words == ApprovalRun.answeredWords(.login))
        #expect(user.prompts.count == (withPossession ? 0 : 1))
        let statement = try await scene.checkReceipt(run, of: report)
        #expect((statement.decision, statement.outcome) == (.rejected(reason), .rejected))
        #expect(statement.verifiedMethod == (withPossession ? .possession : .password))
        let ended = try await scene.platform.approval(report)
        #expect((ended.status, ended.declineReason?.rawValue) == (.refused, reason.description))
    }

    @Test(arguments: [nil, AuthenticationMethod.password])
    func `not me starts the strict mode with the password, and the step-up without it`(
        method: AuthenticationMethod?
    ) async throws {
        let scene = try await ApprovalScene(showsNumbers: true)
        let report = try await scene.platform.requestLogin("alice", source: "stranger")
        let run = try await scene.decide(report) { try await $0.reject(.notMe, by: method) }
        #expect(run.words == ApprovalRun.answeredWords(.login))
        #expect(scene.stage.user.prompts.count == (method == nil ? 0 : 1))
        let statement = try await scene.checkReceipt(run, of: report)
        #expect((statement.outcome, statement.requestedMethod) == (.rejected, .possession))
        #expect(statement.verifiedMethod == method ?? .possession)
        #expect(statement.fallback == (method == nil ? nil : .chosenByUser))
        let account = try #require(try await scene.platform.platform.account(ActivationExchange.account))
        #expect((account.strictUntil == nil) == (method == nil))
        #expect((account.stepUpUntil == nil) == (method != nil))
        let next = try await scene.platform.requestLogin("alice", source: "another stranger")
        #expect(next.status == (method == nil ? .pending : .refused))
    }

    @Test func `a rejection with a wrong password is asked again, and the request waits`() async throws {
        let user = ScriptedUser([.password(ApprovalScene.wrongPassword), .password(Stage.password)])
        let scene = try await ApprovalScene(user: user, policy: Self.policy(.password))
        let report = try await scene.platform.requestLogin("alice")
        let run = try await scene.decide(report) { try await $0.reject(.notMe) }
        let rejected = "rejected: \(InputRejection.wrongPassword(remainingTries: 4))"
        #expect(
            run.words == [
                "approval 1/2", "approval: login", rejected, "approval 2/2", "warning: failedPasswords(1)", "succeeded",
            ])
        let ended = try await scene.platform.approval(report)
        #expect(ended.declineReason == .notMe)
    }

    @Test func `a payment is shown as typed fields, and the receipt has them`() async throws {
        let scene = try await ApprovalScene()
        let report = try await scene.platform.requestPayment(
            "alice", "1250.00", to: "Bookshop", account: "DE89370400440532013000")
        let run = try await scene.decide(report) { request in
            let (amount, currency) = (try Amount("1250.00"), try Currency("EUR"))
            let account = try IBAN("DE89370400440532013000")
            #expect(
                request.display.fields == [
                    .amount(amount), .currency(currency), .creditor("Bookshop"), .creditorAccount(account),
                ])
            #expect(request.lines.map(\.text) == ["1250.00 EUR", "Bookshop", "DE89370400440532013000"])
            try await request.approve()
        }
        #expect(run.words == ApprovalRun.answeredWords(.transaction))
        let statement = try await scene.checkReceipt(run, of: report)
        #expect(statement.display.lines().map(\.text) == ["1250.00 EUR", "Bookshop", "DE89370400440532013000"])
    }

    @Test func `a small payment to a known creditor asks for possession, after a strong one`() async throws {
        let user = ScriptedUser([.password(Stage.password)])
        let scene = try await ApprovalScene(user: user)
        let first = try await scene.platform.requestPayment("alice", "45", to: "Shop")
        let strong = try await scene.decide(first) { try await $0.approve() }
        #expect(strong.words.last == "succeeded")
        let second = try await scene.platform.requestPayment("alice", "9.90", to: "Shop")
        let run = try await scene.decide(second) { request in
            #expect((request.method, request.digits) == (.possession, 0))
            try await request.approve()
        }
        let statement = try await scene.checkReceipt(run, of: second)
        #expect((statement.method, statement.verifiedMethod) == (.possession, .possession))
        #expect(user.prompts.count == 1)
    }

    @Test(arguments: [AuthenticationMethod.biometric, .face])
    func `a method that no device has falls back to the password, with a warning and a receipt that names both`(
        method: AuthenticationMethod
    ) async throws {
        let scene = try await ApprovalScene(policy: Self.policy(method))
        let report = try await scene.platform.requestLogin("alice")
        let run = try await scene.decide(report) { try await $0.approve() }
        #expect(
            run.words == [
                "approval 1/2", "approval: login", "warning: fellBackToPassword", "approval 2/2", "succeeded",
            ])
        let statement = try await scene.checkReceipt(run, of: report)
        #expect((statement.requestedMethod, statement.verifiedMethod) == (method, .password))
        #expect(statement.fallback == .notAvailable)
    }

    @Test func `wrong passwords are counted down until the device is locked, and the request waits`() async throws {
        let user = ScriptedUser(password: ApprovalScene.wrongPassword)
        let scene = try await ApprovalScene(user: user)
        let other = try await scene.otherDevice()
        let report = try await scene.platform.requestLogin("alice")
        let run = try await scene.decide(report) { try await $0.approve() }
        let rejections = (1...4).reversed().map { "rejected: \(InputRejection.wrongPassword(remainingTries: $0))" }
        #expect(run.words == ["approval 1/2", "approval: login"] + rejections + ["aborted: userLocked"])
        #expect(user.prompts.map(\.remainingTries) == [nil, 4, 3, 2, 1])
        let kept = try await scene.kept()
        #expect(kept.isEmpty)
        let waiting = try await scene.platform.approval(report)
        #expect(waiting.status == .pending)
        let end = try await scene.decide(report, on: other) { try await $0.approve() }
        _ = try await scene.checkReceipt(end, of: report)
    }

    @Test func `a loop that goes on without deciding leaves the request open`() async throws {
        let scene = try await ApprovalScene()
        let report = try await scene.platform.requestLogin("alice")
        let first = try await scene.decide(report) { _ in }
        #expect(first.words == ["approval 1/2", "approval: login", "aborted: undecided"])
        await #expect(throws: OrchestrationError(.undecided)) {
            try await scene.app().execute(#require(report.pointer)).result()
        }
        let waiting = try await scene.platform.approval(report)
        #expect(waiting.status == .pending && waiting.isOpened)
        let second = try await scene.decide(report) { try await $0.approve() }
        _ = try await scene.checkReceipt(second, of: report)
    }

    /// The forms in which a pointer reaches the app.
    enum TextForm: CaseIterable, Sendable {
        case base64URL, upperHex, lowerHex, qrCode, bytes

        func command(from pointer: OrchestrationCommand) throws -> OrchestrationCommand {
            switch self {
            case .base64URL: try OrchestrationCommand(text: pointer.text)
            case .upperHex: try OrchestrationCommand(text: Hex.encode(pointer.bytes).uppercased())
            case .lowerHex: try OrchestrationCommand(text: Hex.encode(pointer.bytes))
            case .qrCode: try OrchestrationCommand(qrText: pointer.qrText)
            case .bytes: try OrchestrationCommand(bytes: pointer.bytes)
            }
        }
    }

    @Test(arguments: TextForm.allCases)
    func `a pointer in any form leads to the request`(form: TextForm) async throws {
        let scene = try await ApprovalScene()
        let report = try await scene.platform.requestLogin("alice")
        let command = try form.command(from: #require(report.pointer))
        let run = try await ApprovalRun(scene.app().execute(command)) { try await $0.approve() }
        _ = try await scene.checkReceipt(run, of: report)
    }

    /// A policy whose logins ask for a method.
    private static func policy(
        _ method: AuthenticationMethod, rejectsWithPossession: Bool = false
    ) throws -> Policy {
        let requirement = try #require(PolicyRequirement(method, rejectsWithPossession: rejectsWithPossession))
        let rule = try #require(PolicyRule("login", then: .challenge(requirement)))
        let logins = try #require(PolicyRules([rule]))
        return try #require(Policy(name: "test", logins: logins))
    }
}
