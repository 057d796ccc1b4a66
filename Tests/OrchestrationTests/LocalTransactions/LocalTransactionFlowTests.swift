import OrchestrationProtocol
import OrchestrationTesting
import Primitives
import Testing

@testable import Orchestration
@testable import TrustedIdentity

/// Signatures over data fields, from the device to the platform.
@Suite struct LocalTransactionFlowTests {
    private static let fields = [DataField(label: "Amount", value: "10 EUR"), DataField(label: "To", value: "Zoë")]

    private func sign(
        _ stage: Stage, _ fields: [DataField] = fields, by account: String = "alice", of domain: String? = nil,
        application: CryptoApplicationIndex? = nil, protection: AuthenticationMethod = .password,
        synchronizingWithin limit: Duration? = .seconds(5), user: ScriptedUser? = nil
    ) async throws -> LocalSignature {
        try await stage.orchestrator(user: user).user(account, domain: domain).sign(
            fields, application: application, protection: protection, synchronizingWithin: limit)
    }

    @Test func `a signature is reported before the ratchet moves, and the platform accepts it once`() async throws {
        let stage = try await Stage()
        try await stage.activate()
        let words = try await story(stage.orchestrator().sign(Self.fields, for: "alice"))
        #expect(words == ["signature", "synchronization 1/1", "succeeded"])
        let made = try await sign(stage)
        #expect(made.signature.count == 8 && made.method == .password && made.fields == Self.fields)
        let decision = try await stage.platform.validate("alice", fields: Self.fields, signature: made.signature)
        #expect(decision.status == .accepted && decision.hostCode == made.hostCode && made.hostCode != nil)
        let again = try await stage.platform.validate("alice", fields: Self.fields, signature: made.signature)
        #expect(again.reason == .usedCode)
    }

    @Test func `the user sees the fields when the password is asked for, as they are signed`() async throws {
        let stage = try await Stage()
        try await stage.activate()
        let user = ScriptedUser([.password("x"), .password(Stage.password)])
        let made = try await sign(stage, [DataField(label: "To", value: "Zoe\u{308}")], user: user)
        let normal = [DataField(label: "To", value: "Zoë")]
        #expect(user.prompts.map(\.dataFields) == [normal, normal])
        #expect(
            user.prompts.map { $0.dataFields.map { Array($0.value.unicodeScalars) } } == [
                [["Z", "o", "ë"]], [["Z", "o", "ë"]],
            ])
        #expect(made.fields == normal)
        let decision = try await stage.platform.validate("alice", fields: normal, signature: made.signature)
        #expect(decision.status == .accepted)
        // A one-time password signs nothing.
        let other = ScriptedUser(password: Stage.password)
        _ = try await stage.orchestrator(user: other).user("alice").oneTimePassword()
        #expect(other.prompts.map(\.dataFields) == [[]])
    }

    @Test(arguments: [11, 12, 40])
    func `a device that has signed too often without sending is found again at its next contact`(
        count: Int
    ) async throws {
        let stage = try await Stage()
        try await stage.activate()
        var unsent: [String] = []
        for _ in 0..<count { unsent.append(try await sign(stage, synchronizingWithin: nil).signature) }
        let offline = try await sign(stage, synchronizingWithin: nil)
        let refused = try await stage.platform.validate("alice", fields: Self.fields, signature: offline.signature)
        #expect(refused.reason == .wrongCredential)
        // The contact moves the platform's counter; of the signatures so far the latest eleven stay valid.
        let made = try await sign(stage)
        for signature in [unsent.suffix(9).first, unsent.last, offline.signature, made.signature] {
            let decision = try await stage.platform.validate(
                "alice", fields: Self.fields, signature: try #require(signature))
            #expect(decision.status == .accepted)
        }
        let again = try await stage.platform.validate("alice", fields: Self.fields, signature: made.signature)
        #expect(again.reason == .usedCode)
    }

    @Test func `a wrong password makes a signature like any other, and the platform counts it`() async throws {
        let stage = try await Stage()
        try await stage.activate()
        let wrong = try await sign(stage, user: ScriptedUser(password: "999999"))
        #expect(wrong.signature.count == 8)
        let refused = try await stage.platform.validate("alice", fields: Self.fields, signature: wrong.signature)
        #expect(refused.reason == .wrongCredential)
        let words = try await story(stage.orchestrator().sign(Self.fields, for: "alice"))
        #expect(words.contains("warning: failedCodes(1)"))
    }

    @Test(
        arguments: [
            ([], nil), (Array(repeating: DataField(value: "1"), count: 9), nil),
            ([DataField(value: "1"), DataField(value: String(repeating: "x", count: 17))], 1),
            ([DataField(value: "")], 0), ([DataField(label: "", value: "1")], 0),
            ([DataField(value: "\u{200B}")], 0), ([DataField(label: "AC\u{200D}ME", value: "1")], 0),
            ([DataField(value: "a\nb")], 0), ([DataField(label: "a\u{202E}b", value: "1")], 0),
            ([DataField(value: String(repeating: "👨‍👩‍👧", count: 4))], 0),
        ] as [([DataField], Int?)])
    func `fields outside their limits are an error that names the field, before the user is asked`(
        fields: [DataField], index: Int?
    ) async throws {
        let stage = try await Stage()
        try await stage.activate()
        let user = ScriptedUser([])
        let error = await #expect(throws: OrchestrationError(.invalidArgument)) {
            try await sign(stage, fields, user: user)
        }
        let cause = try #require(error?.underlying as? DataFieldError)
        #expect(cause.index == index)
        #expect(user.prompts.isEmpty)
        let record = try #require(try await stage.orchestrator().environment.vault.record(ActivationExchange.account))
        #expect(record.counters.isEmpty, "no counter was taken")
    }

    @Test func `applications that are unknown or do not sign are refused by name`() async throws {
        let stage = try await Stage()
        try await stage.activate()
        for application in [CryptoApplicationIndex.app1, .app2, .app3] {
            await #expect(throws: OrchestrationError(.applicationUnsuitable)) {
                try await sign(stage, application: application)
            }
        }
        await #expect(throws: OrchestrationError(.applicationUnsuitable)) {
            try await sign(stage, application: .app8)
        }
        let named = try await sign(stage, application: .app4)
        let decision = try await stage.platform.validate("alice", fields: Self.fields, signature: named.signature)
        #expect(decision.status == .accepted)
    }

    @Test func `a device without an application that signs says so`() async throws {
        let stage = try await Stage()
        try await stage.activate()
        let vault = try stage.orchestrator().environment.vault
        try await vault.update(ActivationExchange.account) { record in
            record.applications.removeAll { $0.kind == .signature }
        }
        await #expect(throws: OrchestrationError(.applicationUnsuitable)) { try await sign(stage) }
    }

    @Test func `the possession method shows no prompt, and its signature differs`() async throws {
        let stage = try await Stage()
        try await stage.activate()
        let user = ScriptedUser([])
        let made = try await sign(stage, protection: .possession, user: user)
        #expect(user.prompts.isEmpty && made.method == .possession)
        let decision = try await stage.platform.validate("alice", fields: Self.fields, signature: made.signature)
        #expect(decision.reason == .methodNotAllowed)
    }

    @Test func `without a network the signature is made, with a warning`() async throws {
        let stage = try await Stage()
        try await stage.activate()
        stage.wire.cut(true)
        let words = try await story(stage.orchestrator().sign(Self.fields, for: "alice"))
        #expect(words == ["signature", "warning: notSynchronized", "succeeded"])
    }

    @Test func `an unknown user is an error, and a canceled prompt ends the flow`() async throws {
        let stage = try await Stage()
        await #expect(throws: OrchestrationError(.notActivated)) { try await sign(stage) }
        await #expect(throws: OrchestrationError(.invalidUser)) {
            try await sign(stage, by: "a/b")
        }
        try await stage.activate()
        let words = try await story(
            stage.orchestrator(user: ScriptedUser([.abort])).sign(Self.fields, for: "alice"))
        #expect(words == ["aborted: canceled"])
        let record = try #require(try await stage.orchestrator().environment.vault.record(ActivationExchange.account))
        #expect(record.counters.isEmpty)
    }

    @Test func `a signature takes the domain of the call before the default`() async throws {
        let stage = try await Stage()
        try await stage.activate()
        await #expect(throws: OrchestrationError(.notActivated)) {
            try await sign(stage, of: "shop")
        }
        let made = try await sign(stage, of: "master")
        #expect(made.signature.count == 8)
    }
}

/// Challenges, from the platform to the device and back.
@Suite struct ChallengeFlowTests {
    private func answer(_ stage: Stage, _ digits: String) async throws -> OneTimePasswordResult {
        try await stage.orchestrator().user("alice").oneTimePassword(application: .app3, challenge: digits)
    }

    @Test(arguments: [(4, false), (8, true), (16, true)])
    func `a code over a challenge logs in once, with the host code of the app`(
        length: Int, checkDigit: Bool
    ) async throws {
        let stage = try await Stage()
        try await stage.activate()
        let challenge = try await stage.platform.challenge(for: "alice", length: length, checkDigit: checkDigit)
        let made = try await answer(stage, challenge.digits)
        let decision = try await stage.platform.login(
            "alice", code: made.oneTimePassword, requestID: challenge.requestID)
        #expect(decision.status == .accepted && decision.hostCode == made.hostCode && made.hostCode != nil)
        let again = try await stage.platform.login(
            "alice", code: made.oneTimePassword, requestID: challenge.requestID)
        #expect(again.reason == .usedChallenge)
    }

    @Test func `a code over another challenge is wrong, and counted`() async throws {
        let stage = try await Stage()
        try await stage.activate()
        let challenge = try await stage.platform.challenge(for: "alice")
        let made = try await answer(stage, challenge.digits + "0")
        let decision = try await stage.platform.login(
            "alice", code: made.oneTimePassword, requestID: challenge.requestID)
        #expect(decision.reason == .wrongCredential)
        let words = try await story(
            stage.orchestrator().oneTimePassword(for: "alice", application: .app3, challenge: challenge.digits))
        #expect(words.contains("warning: failedCodes(1)"))
    }
}
