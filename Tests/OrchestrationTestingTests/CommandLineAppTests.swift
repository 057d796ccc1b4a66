import Orchestration
import OrchestrationTesting
import Synchronization
import Testing
import TrustedIdentity

/// A small command-line app, on a platform in its process.
@Suite(.timeLimit(.minutes(20))) struct CommandLineAppTests {
    private let platform: TestPlatform
    private let user: ScriptedUser
    private let alice: UserHandle

    init() async throws {
        platform = try await TestPlatform(showsNumbers: true)
        user = ScriptedUser(password: "482915")
        let app = try await TestDevice(seed: 1, time: platform.time).orchestrator(
            transport: platform.transport, user: user)
        alice = app.user("alice")
    }

    /// Runs a command with what is typed, and returns what it shows.
    private func run(_ command: String, typing lines: String...) async -> [String] {
        let typed = Mutex(lines[...])
        let shown = Mutex<[String]>([])
        let app = BankCommands(
            alice: alice, ask: { _ in typed.withLock { $0.popFirst() ?? "" } },
            show: { line in shown.withLock { $0.append(line) } })
        await app.run(command)
        let left = typed.withLock(\.self)
        #expect(left.isEmpty, "\(command) has not asked for everything")
        return shown.withLock(\.self)
    }

    @Test func `a user activates, logs in, signs and changes the password`() async throws {
        #expect(await run("code") == ["This device is not activated for you. Please activate it."])
        #expect(try await run("activate", typing: platform.register("alice")) == ["Activated."])
        let code = try #require(await run("code").first)
        #expect(try await platform.login("alice", code: code).status == .accepted)
        let signature = try #require(await run("sign", typing: "10.00 EUR", "Shop").first)
        let fields = [DataField(label: "Amount", value: "10.00 EUR"), DataField(label: "To", value: "Shop")]
        #expect(try await platform.validate("alice", fields: fields, signature: signature).status == .accepted)
        user.append(.password("482915"), .password("739164"), .password("739164"))
        #expect(await run("password") == ["Changed."])
        #expect(await run("help") == ["activate, code, sign, inbox or password"])
    }

    @Test func `a user answers what waits, and types the number again`() async throws {
        _ = await run("activate", typing: try await platform.register("alice"))
        #expect(await run("inbox") == ["Nothing waits."])
        let login = try await platform.requestLogin("alice", showing: [.requester("Shop"), .place("Bern")])
        let number = try #require(login.numberToMatch)
        let shown = await run("inbox", typing: "12", number)
        #expect(shown.contains { $0.contains("Bern") } && shown.last == "approved", "\(shown)")
        #expect(try await platform.approval(login).status == .accepted)
        let payment = try await platform.requestPayment("alice", "49.90", to: "Stranger")
        #expect(await run("inbox", typing: "no").last == "rejected (notMe)")
        #expect(try await platform.approval(payment).declineReason == .notMe)
    }

    @Test func `a user who cancels at the password sees it, and the request waits`() async throws {
        _ = await run("activate", typing: try await platform.register("alice"))
        let login = try await platform.requestLogin("alice")
        let number = try #require(login.numberToMatch)
        user.append(.abort)
        #expect(await run("inbox", typing: number).last == "Canceled.")
        #expect(try await platform.approval(login).status == .pending)
    }
}

/// The commands of the app.
private struct BankCommands {
    let alice: UserHandle
    let ask: (String) -> String
    let show: (String) -> Void

    func run(_ command: String) async {
        do {
            switch command {
            case "activate":
                try await alice.activate(with: ask("Activation password"))
                show("Activated.")
            case "code": show(try await alice.oneTimePassword().oneTimePassword)
            case "sign":
                let fields = ["Amount", "To"].map { DataField(label: $0, value: ask($0)) }
                show(try await alice.sign(fields).signature)
            case "inbox":
                let waiting = try await alice.pendingApprovals()
                if waiting.isEmpty { show("Nothing waits.") }
                for summary in waiting {
                    guard case .approvalRequest(let request) = try await alice.openApproval(summary.id) else {
                        continue
                    }
                    try await decide(request)
                }
            case "password":
                try await alice.changePassword()
                show("Changed.")
            default: show("activate, code, sign, inbox or password")
            }
        } catch {
            show((error as? OrchestrationError)?.userMessage() ?? "Interrupted.")
        }
    }

    /// Shows a request, and asks until the user has decided.
    private func decide(_ request: ApprovalRequest) async throws {
        for line in [request.principal.displayed, request.heading] + request.lines.map(\.displayed) { show(line) }
        while true {
            let typed = ask(request.digits > 0 ? "Number of the site, or no" : "yes or no")
            do {
                let answer =
                    switch typed {
                    case "no": try await request.reject(.notMe)
                    case "yes" where request.digits == 0: try await request.approve()
                    default: try await request.approve(number: typed)
                    }
                return show("\(answer)")
            } catch let error as OrchestrationError where error.code == .invalidNumber(digits: request.digits) {
                show(error.userMessage())
            }
        }
    }
}
