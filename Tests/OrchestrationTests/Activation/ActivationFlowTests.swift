import Foundation
import Logging
import OrchestrationProtocol
import OrchestrationTesting
import Primitives
import Testing
import TrustedIdentity

@testable import Orchestration

@Suite struct ActivationFlowTests {
    private static let whole = [
        "activation 1/4", "activation 2/4", "activation 3/4", "activation 4/4", "succeeded",
    ]

    /// The end of an activation whose password was wrong before.
    private static let afterWrongPassword = ["activation 3/4", "warning: failedPasswords(1)"] + whole.suffix(2)

    @Test func `a user is activated in four round trips`() async throws {
        let stage = try await Stage()
        let code = try await stage.platform.register("alice")
        let orchestrator = try stage.orchestrator()
        #expect(try await story(orchestrator.activate("alice", with: code)) == Self.whole)
        #expect(stage.wire.sent.count == 4)
        #expect(stage.user.prompts.map(\.purpose) == [.enroll, .confirm])
        #expect(try await orchestrator.user("alice").isActivated)
        let information = try await orchestrator.user("alice").information
        #expect(information.state == .ready)
        #expect(information.serialNumbers.count == 2)
        let now = stage.platform.time.now()
        #expect(information.activatedAt?.timeIntervalSince1970 == Double(now.millisecondsSinceEpoch) / 1_000)
        #expect(!information.isPostQuantum)
    }

    @Test func `an activation password with a typing error never leaves the device`() async throws {
        let stage = try await Stage()
        let code = try await stage.platform.register("alice")
        let wrong = String(code.dropLast()) + (code.last == "0" ? "1" : "0")
        let orchestrator = try stage.orchestrator()
        for (typed, text) in [
            (wrong, "The activation password has a typing error."),
            ("123", "An activation password has 12 characters."),
            ("U" + code.dropFirst(), "Character 1 of the activation password cannot occur in one."),
        ] {
            let error = await #expect(throws: OrchestrationError(.activationPasswordMistyped)) {
                try await orchestrator.activate("alice", with: typed).result()
            }
            #expect(error?.userMessage() == text + " Please check it.")
        }
        #expect(stage.wire.sent.isEmpty)
        #expect(try await story(orchestrator.activate("alice", with: code)) == Self.whole)
    }

    @Test func `a wrong activation password looks like an unknown user and is tried three times at most`() async throws
    {
        let stage = try await Stage()
        _ = try await stage.platform.register("alice")
        let orchestrator = try stage.orchestrator()
        let code = ActivationExchange.activationPassword(SeededRandomSource(seed: 1234))
        for user in ["alice", "nobody"] {
            for _ in 1...3 {
                await #expect(throws: OrchestrationError(.activationPasswordNotConfirmed)) {
                    try await orchestrator.activate(user, with: code).result()
                }
            }
            let before = stage.wire.sent.count
            await #expect(throws: OrchestrationError(.activationPasswordTriedTooOften)) {
                try await orchestrator.activate(user, with: code).result()
            }
            #expect(stage.wire.sent.count == before)
        }
    }

    @Test func `weak and differing passwords are asked again with the reason`() async throws {
        let user = ScriptedUser([
            .password("111111"), .password("482915"), .password("482916"), .password("482915"), .password("482915"),
        ])
        let stage = try await Stage(user: user)
        let code = try await stage.platform.register("alice")
        let words = try await story(stage.orchestrator().activate("alice", with: code))
        #expect(words[2...3] == ["rejected: unsuitable(constantStep)", "rejected: confirmationDiffers"])
        #expect(words.last == "succeeded")
        #expect(user.prompts.map(\.purpose) == [.enroll, .enroll, .confirm, .enroll, .confirm])
        #expect(
            user.prompts.map(\.rejection)
                == [nil, .unsuitable(.constantStep), nil, .confirmationDiffers, nil])
        #expect(user.prompts.allSatisfy { $0.policy == .default })
    }

    @Test(arguments: [[ScriptedAnswer.abort], [.password("482915"), .abort]])
    func `a canceled prompt leaves nothing in the store`(answers: [ScriptedAnswer]) async throws {
        let stage = try await Stage(user: ScriptedUser(answers))
        let code = try await stage.platform.register("alice")
        await #expect(throws: OrchestrationError(.canceled)) {
            try await stage.orchestrator().activate("alice", with: code).result()
        }
        #expect(try await stage.store.names().isEmpty)
        let again = try stage.orchestrator(user: ScriptedUser(password: Stage.password))
        #expect(try await story(again.activate("alice", with: code)) == Self.whole)
    }

    @Test(arguments: 1...6)
    func `leaving the loop at any event leaves no half state`(events: Int) async throws {
        let stage = try await Stage()
        let code = try await stage.platform.register("alice")
        let orchestrator = try stage.orchestrator()
        var seen = 0
        for try await _ in orchestrator.activate("alice", with: code) {
            seen += 1
            if seen == events { break }
        }
        if events < 4 {
            #expect(try await !orchestrator.user("alice").isActivated)
            let words = try await story(
                stage.orchestrator().activate("alice", with: code))
            #expect(words.suffix(2) == Self.whole.suffix(2))
        }
        #expect(try await stage.orchestrator().user("alice").isActivated)
        let report = try await stage.platform.platform.account(ActivationExchange.account)
        #expect(report?.devices.count { $0.state == .active || $0.state == .pendingNotification } == 1)
    }

    @Test func `canceling at a prompt ends the flow with a cancellation error and nothing is stored`() async throws {
        let reached = AsyncStream<Void>.makeStream()
        let user = ScriptedUser([
            ScriptedAnswer { _ in
                reached.continuation.yield()
                for await _ in AsyncStream<Void>.makeStream().stream {}
                throw CancellationError()
            }
        ])
        let stage = try await Stage(user: user)
        let code = try await stage.platform.register("alice")
        let flow = try stage.orchestrator().activate("alice", with: code)
        let task = Task { try await flow.result() }
        for await _ in reached.stream { break }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(try await stage.store.names().isEmpty)
    }

    @Test(arguments: 1...4, [Fault.loseRequest, .loseAnswer, .duplicate, .foreignAnswer, .delay(milliseconds: 9_000)])
    func `lost, repeated, foreign and late answers at any step cost nothing`(step: Int, fault: Fault) async throws {
        let stage = try await Stage()
        let code = try await stage.platform.register("alice")
        let plan = FaultPlan(script: Array(repeating: .noFault, count: step - 1) + [fault])
        let transport = FaultInjectingTransport(stage.platform.transport, plan: plan, clock: stage.time)
        let orchestrator = try stage.orchestrator(transport: transport)
        let words = try await story(orchestrator.activate("alice", with: code))
        #expect(words == Self.whole)
    }

    @Test(arguments: 2...4, [3, 77, 401, 1_000])
    func `a corrupted answer at steps 2 to 4 is asked for again`(step: Int, bit: Int) async throws {
        let stage = try await Stage()
        let code = try await stage.platform.register("alice")
        let plan = FaultPlan(script: Array(repeating: .noFault, count: step - 1) + [.corruptAnswer(bit: bit)])
        let transport = FaultInjectingTransport(stage.platform.transport, plan: plan, clock: stage.time)
        let orchestrator = try stage.orchestrator(transport: transport)
        let words = try await story(orchestrator.activate("alice", with: code))
        #expect(words == Self.whole)
    }

    @Test func `a lost step 3 is resumed by asking the password, which the platform judges`() async throws {
        let stage = try await Stage()
        let code = try await stage.platform.register("alice")
        let lost: @Sendable (OrchestrationCommand) async throws -> OrchestrationCommand = { _ in
            throw OrchestrationError(.transport)
        }
        let pass: @Sendable (OrchestrationCommand) async throws -> OrchestrationCommand = { $0 }
        stage.wire.tamper(pass, pass, lost, lost, lost)
        await #expect(throws: OrchestrationError(.transport)) {
            try await stage.orchestrator().activate("alice", with: code).result()
        }
        #expect(try await stage.orchestrator().user("alice").information.state == .pending)
        await #expect(throws: OrchestrationError(.notActivated)) {
            try await stage.orchestrator().oneTimePassword(for: "alice").result()
        }

        let user = ScriptedUser([.password("999999"), .password(Stage.password)])
        let again = try stage.orchestrator(user: user)
        let words = try await story(again.activate("alice", with: code))
        #expect(words.first == "rejected: wrongPassword(remainingTries: Optional(4))")
        #expect(Array(words.suffix(4)) == Self.afterWrongPassword)
        #expect(user.prompts.map(\.purpose) == [.authenticate, .authenticate])
        #expect(user.prompts.map(\.remainingTries) == [nil, 4])
    }

    @Test func `a lost step 4 is resumed without asking anything`() async throws {
        let stage = try await Stage()
        let code = try await stage.platform.register("alice")
        let lost: @Sendable (OrchestrationCommand) async throws -> OrchestrationCommand = { _ in
            throw OrchestrationError(.transport)
        }
        let pass: @Sendable (OrchestrationCommand) async throws -> OrchestrationCommand = { $0 }
        stage.wire.tamper(pass, pass, pass, lost, lost, lost)
        await #expect(throws: OrchestrationError(.transport)) {
            try await stage.orchestrator().activate("alice", with: code).result()
        }
        let user = ScriptedUser([])
        let words = try await story(
            stage.orchestrator(user: user).activate("alice", with: code))
        #expect(words == Array(Self.whole.suffix(2)))
        #expect(user.prompts.isEmpty)
    }

    @Test func `a new activation password replaces an interrupted activation by a new one`() async throws {
        let stage = try await Stage()
        let code = try await stage.platform.register("alice")
        let cut = CutAfter(2, stage.platform.transport)
        await #expect(throws: OrchestrationError(.transport)) {
            try await stage.orchestrator(transport: cut).activate("alice", with: code)
                .result()
        }
        let first = try await stage.orchestrator().user("alice").information
        let fresh = try await stage.platform.register("alice")
        let words = try await story(
            stage.orchestrator().activate("alice", with: fresh))
        #expect(words == Self.whole)
        #expect(try await stage.orchestrator().user("alice").information.deviceID != first.deviceID)
    }

    @Test func `an interrupted activation is not resumed after the platform has dropped it`() async throws {
        let stage = try await Stage()
        let code = try await stage.platform.register("alice")
        let cut = CutAfter(2, stage.platform.transport)
        await #expect(throws: OrchestrationError(.transport)) {
            try await stage.orchestrator(transport: cut).activate("alice", with: code)
                .result()
        }
        stage.advance(seconds: 1_801)
        await #expect(throws: OrchestrationError(.activationPasswordNotConfirmed)) {
            try await stage.orchestrator().activate("alice", with: code).result()
        }
        let fresh = try await stage.platform.register("alice")
        #expect(
            try await story(stage.orchestrator().activate("alice", with: fresh))
                == Self.whole)
    }

    @Test func `an exchange that takes two minutes ends the run, and the activation password stays valid`() async throws
    {
        let stage = try await Stage()
        let code = try await stage.platform.register("alice")
        stage.wire.tamper({ [stage] answer in
            stage.advance(seconds: 121)
            return answer
        })
        await #expect(throws: OrchestrationError(.exchangeExpired)) {
            try await stage.orchestrator().activate("alice", with: code).result()
        }
        #expect(
            try await story(stage.orchestrator().activate("alice", with: code))
                == Self.whole)
    }

    @Test func `the fifth wrong password drops a pending device on both sides`() async throws {
        let stage = try await Stage()
        let code = try await stage.platform.register("alice")
        // The password is chosen and stored, and the command of step 3 never arrives.
        let cut = CutAfter(2, stage.platform.transport)
        await #expect(throws: OrchestrationError(.transport)) {
            try await stage.orchestrator(transport: cut).activate("alice", with: code)
                .result()
        }
        let user = ScriptedUser(password: "999999")
        let words = try await story(
            stage.orchestrator(user: user).activate("alice", with: code))
        #expect(
            words.dropLast() == (1...4).reversed().map { "rejected: wrongPassword(remainingTries: Optional(\($0)))" })
        #expect(words.last == "aborted: userLocked")
        await #expect(throws: OrchestrationError(.userUnknown)) {
            try await stage.orchestrator().user("alice").information
        }
    }

    @Test func `a user who is activated already is not activated again`() async throws {
        let stage = try await Stage()
        try await stage.activate()
        let code = try await stage.platform.register("alice")
        await #expect(throws: OrchestrationError(.alreadyActivated)) {
            try await stage.orchestrator().activate("alice", with: code).result()
        }
    }

    @Test func `a newer activation of the same user supersedes the older`() async throws {
        let stage = try await Stage()
        let code = try await stage.platform.register("alice")
        let orchestrator = try stage.orchestrator()
        var words: [String] = []
        for try await event in orchestrator.activate("alice", with: code) {
            words.append(event.word)
            if words.count == 1 {
                let newer = orchestrator.activate("alice", with: code)
                #expect(try await story(newer) == Self.whole)
            }
        }
        #expect(words == ["activation 1/4", "aborted: superseded"])
    }

    @Test func `activations of different users run side by side`() async throws {
        let stage = try await Stage()
        let orchestrator = try stage.orchestrator()
        let (a, b) = (try await stage.platform.register("alice"), try await stage.platform.register("bob"))
        async let first = orchestrator.user("alice").activate(with: a)
        async let second = orchestrator.user("bob").activate(with: b)
        #expect(try await [first, second].map(\.account.userID) == ["alice", "bob"])
        #expect(try await orchestrator.users.list().map(\.account?.userID) == ["alice", "bob"])
    }

    @Test func `without a provider and with an impossible user there is a clear error`() async throws {
        let stage = try await Stage()
        let code = try await stage.platform.register("alice")
        await #expect(throws: OrchestrationError(.providerUnavailable)) {
            try await stage.orchestrator(providers: []).activate("alice", with: code)
                .result()
        }
        await #expect(throws: OrchestrationError(.invalidUser)) {
            try await stage.orchestrator().activate("a/b", with: code).result()
        }
    }

    // MARK: Resuming without the activation password

    /// A stage with an activation of alice that was interrupted after the given number of commands.
    private func interrupted(after commands: Int) async throws -> Stage {
        let stage = try await Stage()
        let activationPassword = try await stage.platform.register("alice")
        let cut = CutAfter(commands, stage.platform.transport)
        await #expect(throws: OrchestrationError(.transport)) {
            try await stage.orchestrator(transport: cut).user("alice").activate(with: activationPassword)
        }
        return stage
    }

    @Test func `an activation that was interrupted at step 3 is resumed with the chosen password alone`() async throws {
        let stage = try await interrupted(after: 2)
        #expect(try await stage.orchestrator().user("alice").information.state == .pending)
        let user = ScriptedUser([.password("999999"), .password(Stage.password)])
        let words = try await story(stage.orchestrator(user: user).resumeActivation(of: "alice"))
        #expect(words == ["rejected: wrongPassword(remainingTries: Optional(4))"] + Self.afterWrongPassword)
        #expect(user.prompts.map(\.purpose) == [.authenticate, .authenticate])
        #expect(user.prompts.map(\.remainingTries) == [nil, 4])
        #expect(user.prompts.allSatisfy { $0.policy == .default })
    }

    @Test func `an activation that was interrupted at step 4 is resumed without a prompt`() async throws {
        let stage = try await interrupted(after: 3)
        let user = ScriptedUser([])
        let words = try await story(stage.orchestrator(user: user).resumeActivation(of: "alice@master"))
        #expect(words == Array(Self.whole.suffix(2)))
        #expect(user.prompts.isEmpty)
    }

    @Test func `without an activation password there must be something to resume`() async throws {
        let stage = try await Stage()
        await #expect(throws: OrchestrationError(.userUnknown)) {
            try await stage.orchestrator().user("alice").resumeActivation()
        }
        try await stage.activate()
        await #expect(throws: OrchestrationError(.alreadyActivated)) {
            try await stage.orchestrator().user("alice").resumeActivation()
        }
    }

    @Test func `an activation that the platform has dropped is not resumed`() async throws {
        let stage = try await interrupted(after: 2)
        stage.advance(seconds: 1_801)
        let words = try await story(stage.orchestrator().resumeActivation(of: "alice"))
        #expect(words == ["outdated: activationExpired"])
        #expect(stage.wire.sent.isEmpty)
    }

    // MARK: Reads

    @Test func `a fresh activation reads its record seven times`() async throws {
        let stage = try await Stage()
        let activationPassword = try await stage.platform.register("alice")
        let store = CountingStore(stage.store)
        let orchestrator = try Orchestrator(
            configuration: stage.orchestrator().environment.configuration, transport: stage.wire,
            providers: [stage.user], store: store, keys: stage.keys, time: stage.time, random: stage.random,
            logger: Logger(label: "test"))
        try await orchestrator.user("alice").activate(with: activationPassword)
        // Once at the start, twice to store it (there is none yet), twice under the lock at step 3, once of these for
        // the ledger of device data, and twice at step 4.
        #expect(store.reads == 7)
        // The last four reads find a record and decrypt it.
        #expect(store.recordsRead == 4)
    }
}

/// A transport that fails after a number of commands.
private actor CutAfter: Transport {
    private var left: Int
    private let base: any Transport

    init(_ count: Int, _ base: any Transport) {
        left = count
        self.base = base
    }

    func send(_ command: OrchestrationCommand) async throws -> OrchestrationCommand {
        guard left > 0 else { throw OrchestrationError(.transport) }
        left -= 1
        return try await base.send(command)
    }
}
