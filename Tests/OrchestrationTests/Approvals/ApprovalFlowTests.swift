import OrchestrationProtocol
import OrchestrationTesting
import Primitives
import Testing

@testable import Orchestration

@Suite struct ApprovalFlowTests {
    private static let payment: [DisplayField] = [
        .requester("Bank"), .amount(amount("30.00")), .currency(currency("EUR")), .creditor("Shop"),
        .field(label: "Order", value: "17"),
    ]

    @Test func `a login is approved with the number of the site and the password`() async throws {
        let stage = try await ApprovalStage()
        let (id, pointer) = try stage.desk.request(number: "482913")
        var answered: AnsweredApproval?
        var words: [String] = []
        for try await event in try stage.orchestrator().execute(pointer) {
            words.append(event.word)
            if case .approvalRequired(let request) = event {
                #expect(request.id == id)
                #expect(request.account.text == "alice@master")
                #expect((request.principal.id, request.principal.name) == ("0123456789abcdef", "Example Shop"))
                #expect((request.method, request.digits) == (.password, 6))
                #expect((request.sessionID, request.requestID) == ("session", "request-1"))
                #expect(request.timeLeft == .seconds(120))
                try await request.approve(number: "482913")
            }
            if case .succeeded(.approvalAnswered(let approval)) = event { answered = approval }
        }
        #expect(words == ["approval 1/2", "approval: login", "approval 2/2", "succeeded"])
        let approval = try #require(answered)
        #expect(approval.decision == .approved)
        #expect(approval.statement.number == "482913")
        #expect(approval.statement.outcome == .approved)
        #expect(approval.receipt == Receipt(try #require(stage.desk.entry(id)?.receipt)))
        #expect(stage.desk.arrivals.count == 2)
        #expect(
            stage.stage.user.prompts.map(\.displayData)
                == ["\u{2068}Example Shop\u{2069}\nLogin\n\"\u{2068}Log in?\u{2069}\""])
        let kept = try await stage.kept()
        #expect(kept == [])
    }

    @Test func `a payment is shown as lines and typed fields`() async throws {
        let stage = try await ApprovalStage()
        let (_, pointer) = try stage.desk.request(.transaction, fields: Self.payment)
        let words = try await story(stage.orchestrator().execute(pointer)) { request in
            #expect(
                request.lines.map(\.displayed) == [
                    "\u{2068}Requested by\u{2069}: \u{2068}Bank\u{2069}",
                    "\u{2068}Amount\u{2069}: \u{2068}30.00 EUR\u{2069}",
                    "\u{2068}Payee\u{2069}: \u{2068}Shop\u{2069}", "\"\u{2068}Order\u{2069}\": \"\u{2068}17\u{2069}\"",
                ])
            #expect(request.lines.map(\.isTyped) == [true, true, true, false])
            #expect(request.lines.map(\.text) == ["Bank", "30.00 EUR", "Shop", "17"], "the signed texts")
            #expect(request.display.fields == Self.payment)
            try await request.reject(.wrongData)
        }
        #expect(words == ["approval 1/2", "approval: transaction", "approval 2/2", "succeeded"])
    }

    @Test func `free text does not look like a typed field`() throws {
        let typed = try DisplayData([.amount(Self.amount("1")), .currency(Self.currency("EUR"))]).lines()
        let free = try DisplayData([.field(label: "Amount", value: "1 EUR"), .text("Amount: 1 EUR")]).lines()
        #expect(typed.map(\.text) == ["1 EUR"] && typed.allSatisfy(\.isTyped))
        #expect(free.allSatisfy { !$0.isTyped && $0.displayed.hasPrefix("\"") && $0.displayed.hasSuffix("\"") })
        #expect(!free.map(\.displayed).contains(typed[0].displayed))
    }

    @Test func `possession asks the user nothing, for an approval or for a rejection alone`() async throws {
        let stage = try await ApprovalStage(user: ScriptedUser([]))
        let first = try stage.desk.request(method: .possession)
        let words = try await story(stage.orchestrator().execute(first.pointer)) { try await $0.approve() }
        #expect(words.last == "succeeded")
        let second = try stage.desk.request(rejection: .possession)
        let run = try await ApprovalRun(stage.orchestrator().execute(second.pointer)) {
            #expect(($0.method, $0.rejectionMethod) == (.password, .possession))
            try await $0.reject(.notMe)
        }
        let answered = try #require(run.answered)
        #expect(answered.decision == .rejected(.notMe))
        #expect(answered.statement.verifiedMethod == .possession)
    }

    @Test func `a user rejects by the password where possession is enough, and the answer says so`() async throws {
        let stage = try await ApprovalStage()
        for method in [AuthenticationMethod.password, .possession] {
            let (_, pointer) = try stage.desk.request(method: method, rejection: .possession)
            let run = try await ApprovalRun(stage.orchestrator().execute(pointer)) {
                try await $0.reject(.notMe, by: .password)
            }
            let answered = try #require(run.answered)
            #expect(answered.decision == .rejected(.notMe))
            #expect(answered.statement.verifiedMethod == .password)
            let answer = try ApprovalAnswerContent(decoding: #require(stage.desk.answers.last).payload)
            #expect((answer.method, answer.fallback) == (.password, .chosenByUser))
        }
        #expect(stage.stage.user.prompts.count == 2)
    }

    @Test func `a canceled prompt of such a rejection ends without an answer, and possession is still enough`()
        async throws
    {
        let user = ScriptedUser([.abort])
        let stage = try await ApprovalStage()
        let (id, pointer) = try stage.desk.request(rejection: .possession)
        let words = try await story(stage.orchestrator(user: user).execute(pointer)) {
            try await $0.reject(.notMe, by: .password)
        }
        #expect(words == ["approval 1/2", "approval: login", "aborted: canceled"])
        let kept = try await stage.kept()
        #expect(stage.desk.answers.isEmpty && kept.isEmpty)
        #expect(stage.desk.entry(id)?.answer == nil)
        let again = try await story(stage.orchestrator(user: user).execute(pointer)) { try await $0.reject(.notMe) }
        #expect(again.last == "succeeded" && user.prompts.count == 1)
    }

    @Test(arguments: [AuthenticationMethod.possession, .biometric])
    func `a rejection is by the method that the request asks for, whatever the app names`(
        method: AuthenticationMethod
    ) async throws {
        let stage = try await ApprovalStage()
        let (_, pointer) = try stage.desk.request(rejection: .password)
        let words = try await story(stage.orchestrator().execute(pointer)) {
            try await $0.reject(.canceled, by: method)
        }
        #expect(words == ["approval 1/2", "approval: login", "approval 2/2", "succeeded"])
        let answer = try ApprovalAnswerContent(decoding: #require(stage.desk.answers.first).payload)
        #expect((answer.method, answer.fallback) == (.password, nil))
    }

    @Test(arguments: [AuthenticationMethod.biometric, .face])
    func `a method of the system falls back to the password, and the answer says so`(
        method: AuthenticationMethod
    ) async throws {
        let stage = try await ApprovalStage()
        let (_, pointer) = try stage.desk.request(method: method)
        let words = try await story(stage.orchestrator().execute(pointer)) { try await $0.approve() }
        #expect(
            words == [
                "approval 1/2", "approval: login", "warning: fellBackToPassword", "approval 2/2", "succeeded",
            ])
        let answer = try ApprovalAnswerContent(decoding: #require(stage.desk.answers.first).payload)
        #expect((answer.method, answer.fallback) == (.password, .notAvailable))
    }

    @Test func `a loop that goes on without deciding ends, and the request can be opened again`() async throws {
        let stage = try await ApprovalStage()
        let (_, pointer) = try stage.desk.request()
        let orchestrator = try stage.orchestrator()
        var late: ApprovalRequest?
        let words = try await story(orchestrator.execute(pointer)) { late = $0 }
        #expect(words == ["approval 1/2", "approval: login", "aborted: undecided"])
        await #expect(throws: OrchestrationError(.alreadyDecided)) { try await late?.approve() }
        #expect(stage.desk.answers.isEmpty)
        let again = try await story(orchestrator.execute(pointer)) { try await $0.approve() }
        #expect(again.last == "succeeded")
    }

    @Test func `a one-shot call that needs a decision is an error, and sends the fetch alone`() async throws {
        let stage = try await ApprovalStage()
        let (_, pointer) = try stage.desk.request()
        await #expect(throws: OrchestrationError(.undecided)) {
            try await stage.orchestrator().execute(pointer).result()
        }
        #expect(stage.desk.arrivals.count == 1)
    }

    @Test(arguments: ["", "48291", "4829130", "48291x", " 82913"])
    func `a number of another form says how many digits there are, and can be typed again`(
        number: String
    ) async throws {
        let stage = try await ApprovalStage()
        let (_, pointer) = try stage.desk.request(number: "482913")
        let words = try await story(stage.orchestrator().execute(pointer)) { request in
            let error = await #expect(throws: OrchestrationError.self) {
                try await request.approve(number: number)
            }
            #expect(error == OrchestrationError(.invalidNumber(digits: 6)))
            #expect(error?.message.contains("6 digits") == true)
            await #expect(throws: OrchestrationError(.invalidNumber(digits: 6))) { try await request.approve() }
            try await request.approve(number: "482 ９13")
            await #expect(throws: OrchestrationError(.alreadyDecided)) { try await request.approve(number: "482913") }
            await #expect(throws: OrchestrationError(.alreadyDecided)) { try await request.reject(.notMe) }
        }
        #expect(words.last == "succeeded")
    }

    @Test func `a number that was not asked for is refused`() async throws {
        let stage = try await ApprovalStage()
        let (_, pointer) = try stage.desk.request()
        let words = try await story(stage.orchestrator().execute(pointer)) { request in
            let error = await #expect(throws: OrchestrationError.self) {
                try await request.approve(number: "482913")
            }
            #expect(error?.message == "the approval request asks for no number")
        }
        #expect(words.last == "aborted: undecided")
    }

    @Test func `a wrong number ends the request`() async throws {
        let stage = try await ApprovalStage()
        let (_, pointer) = try stage.desk.request(number: "482913")
        let words = try await story(stage.orchestrator().execute(pointer)) { try await $0.approve(number: "482914") }
        #expect(words == ["approval 1/2", "approval: login", "aborted: wrongNumber"])
        let kept = try await stage.kept()
        #expect(kept == [])
        let again = try await story(stage.orchestrator().execute(pointer))
        #expect(again == ["outdated: approvalAnswered"])
    }

    @Test func `a wrong password is asked again with the tries left, for the same decision`() async throws {
        let user = ScriptedUser([.password("739105"), .password("1"), .password(Stage.password)])
        let stage = try await ApprovalStage(user: user)
        let (_, pointer) = try stage.desk.request()
        var left: [Int?] = []
        for try await event in try stage.orchestrator().execute(pointer) {
            switch event {
            case .approvalRequired(let request): try request.recordApproval()
            case .inputRejected(let rejection):
                left.append(rejection.remainingTries)
                stage.stage.advance(seconds: 1)
            default: break
            }
        }
        #expect(left == [4, nil])
        #expect(user.prompts.map(\.remainingTries) == [nil, 4, 4])
        let answers = try stage.desk.answers.map { try ApprovalAnswerContent(decoding: $0.payload) }
        #expect(answers.map(\.decision) == [.approved, .approved])
        #expect(answers.first != answers.last)
    }

    @Test func `wrong passwords lock the device`() async throws {
        let stage = try await ApprovalStage(user: ScriptedUser(password: "739105"))
        let (_, pointer) = try stage.desk.request()
        let words = try await story(stage.orchestrator().execute(pointer)) { try await $0.approve() }
        #expect(words.count { $0.hasPrefix("rejected: wrongPassword") } == 4)
        #expect(words.last == "aborted: userLocked")
    }

    @Test(arguments: [AuthenticationMethod.password, .possession])
    func `an answer opens its record three times, and writes it twice`(method: AuthenticationMethod) async throws {
        let stage = try await ApprovalStage()
        let (_, pointer) = try stage.desk.request(method: method)
        let store = CountingStore(stage.stage.store)
        let orchestrator = try stage.stage.orchestrator(transport: stage.wire, store: store)
        let words = try await story(orchestrator.execute(pointer)) {
            store.reset()
            try await $0.approve()
        }
        #expect(words.last == "succeeded")
        // Before the user authenticates, to store the answer, and to apply the reply, which also ends the answer.
        #expect((store.reads, store.recordsRead, store.writes) == (3, 3, 2))
        #expect(try await stage.kept().isEmpty)
    }

    @Test func `a user who cancels the prompt has answered nothing`() async throws {
        let stage = try await ApprovalStage(user: ScriptedUser([.abort]))
        let (_, pointer) = try stage.desk.request()
        let words = try await story(stage.orchestrator().execute(pointer)) { try await $0.approve() }
        #expect(words.last == "aborted: canceled")
        #expect(stage.desk.answers.isEmpty)
    }

    @Test(arguments: [OrchestrationError.Code.notActivated, .revoked])
    func `a user who is deleted or locked during the prompt has answered nothing`(
        code: OrchestrationError.Code
    ) async throws {
        let stage = try await ApprovalStage()
        let vault = try stage.orchestrator().environment.vault
        let user = ScriptedUser([
            ScriptedAnswer { _ in
                if code == .notActivated {
                    try await vault.delete(ActivationExchange.account)
                } else {
                    try await vault.update(ActivationExchange.account) { $0.state = .locked(.revoked) }
                }
                return UserInput(SecretBytes(copying: Stage.password.utf8))
            }
        ])
        let (_, pointer) = try stage.desk.request()
        await #expect(throws: OrchestrationError(code)) {
            _ = try await story(stage.orchestrator(user: user).execute(pointer)) { try await $0.approve() }
        }
        let kept = try await stage.kept()
        #expect(stage.desk.answers.isEmpty && kept.isEmpty)
    }

    @Test func `a loop that goes on without deciding after the time is over ends as outdated`() async throws {
        let stage = try await ApprovalStage(user: ScriptedUser([]))
        let (_, pointer) = try stage.desk.request()
        let time = stage.stage.time
        let words = try await story(stage.orchestrator().execute(pointer)) { _ in time.advance(seconds: 120) }
        #expect(words == ["approval 1/2", "approval: login", "outdated: approvalExpired"])
        #expect(stage.desk.answers.isEmpty)
    }

    @Test func `the time that is left counts by the platform, whatever the clock of the device says`() async throws {
        let stage = try await ApprovalStage(user: ScriptedUser([]))
        let (_, pointer) = try stage.desk.request()
        let time = stage.stage.time
        let words = try await story(stage.orchestrator().execute(pointer)) { request in
            time.step(milliseconds: 3_600_000)
            #expect(request.timeLeft == .seconds(120))
            time.step(milliseconds: -3_600_000)
            time.advance(seconds: 121)
            #expect(request.timeLeft == .zero)
            try await request.approve()
        }
        // The user is not asked for a password in vain.
        #expect(words == ["approval 1/2", "approval: login", "outdated: approvalExpired"])
        #expect(stage.desk.answers.isEmpty)
    }

    @Test func `a countdown ends at zero`() async throws {
        let time = ManualTimeSource()
        let clock = ExpiryClock(
            expiry: Timestamp(millisecondsSinceEpoch: 2_500), platformTime: Timestamp(millisecondsSinceEpoch: 0),
            time: time)
        var iterator = clock.countdown.makeAsyncIterator()
        var seen = [await iterator.next()]
        for _ in 0..<3 {
            async let mover: Void = Self.move(time)
            seen.append(await iterator.next())
            await mover
        }
        #expect(seen == [.seconds(3), .seconds(2), .seconds(1), .seconds(0)])
        #expect(await iterator.next() == nil)
    }

    private static func move(_ time: ManualTimeSource) async {
        await time.sleepers(1)
        time.advance(milliseconds: 1_000)
    }

    private static func amount(_ text: String) -> Amount {
        guard let amount = try? Amount(text) else { preconditionFailure("an amount of the test") }
        return amount
    }

    private static func currency(_ code: String) -> Currency {
        guard let currency = try? Currency(code) else { preconditionFailure("a currency of the test") }
        return currency
    }
}
