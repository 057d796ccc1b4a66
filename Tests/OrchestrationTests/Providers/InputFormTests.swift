import OrchestrationProtocol
import OrchestrationTesting
import Primitives
import Synchronization
import Testing
import TrustedIdentity

@testable import Orchestration

/// Inputs that cannot be the user's password, because their form differs.
@Suite struct InputFormTests {
    @Test func `an input with too few digits is asked again and costs no try`() async throws {
        let stage = try await Stage()
        try await stage.activate()
        let user = ScriptedUser([
            .password("48291"), .password("4829151234567"), .password("48291x"), .password(Stage.password),
        ])
        let orchestrator = try stage.orchestrator(user: user)
        var rejections: [InputRejection] = []
        var code: String?
        for try await event in orchestrator.oneTimePassword(for: "alice", application: .app2, protection: .password) {
            switch event {
            case .inputRejected(let rejection): rejections.append(rejection)
            case .oneTimePasswordReady(let result): code = result.oneTimePassword
            case .stepCompleted, .signatureReady, .sealReady, .approvalRequired, .enrollmentProgressed, .warning,
                .succeeded, .outdated,
                .aborted:
                break
            }
        }
        let faults: [PasswordFault] = [.tooShort(minimum: 6), .tooLong(maximum: 12), .notDigits]
        #expect(rejections == faults.map { .unsuitable($0) })
        #expect(user.prompts.map(\.policy) == [.default, .default, .default, .default])
        #expect(user.prompts.map(\.rejection) == [nil] + rejections)
        // One code was made, and the platform has seen no wrong one.
        let record = try #require(try await orchestrator.environment.vault.record(ActivationExchange.account))
        #expect(record.counters[2] == 1)
        let decision = try await stage.platform.platform.login(
            LoginRequest(
                account: ActivationExchange.account,
                credential: .oneTimePassword(#require(code), application: .app2)))
        #expect(decision.status == .accepted)
    }

    @Test func `as many inputs of another form as the policy allows tries end a one-time password`() async throws {
        let stage = try await Stage()
        try await stage.activate()
        let user = ScriptedUser(password: "1")
        let words = try await story(stage.orchestrator(user: user).oneTimePassword(for: "alice"))
        let rejected = Array(repeating: "rejected: \(InputRejection.unsuitable(.tooShort(minimum: 6)))", count: 5)
        #expect(words == rejected + ["aborted: inputRejectedTooOften"])
        #expect(user.prompts.count == PINPolicy.default.tries)
    }

    @Test func `the form is that of the policy under which the password was chosen`() async throws {
        let four = try #require(PINPolicy(minimumLength: 4, maximumLength: 4))
        let stage = try await Stage(configuration: PlatformConfiguration(pinPolicy: four))
        let code = try await stage.platform.register("alice")
        let chosen = ScriptedUser(password: "4829")
        _ = try await stage.orchestrator(user: chosen)
            .activate("alice", with: code).result()
        let user = ScriptedUser([.password(Stage.password), .password("4829")])
        _ = try await stage.orchestrator(user: user)
            .oneTimePassword(for: "alice", protection: .password).result()
        #expect(user.prompts.map(\.policy) == [four, four])
        #expect(user.prompts.map(\.rejection) == [nil, .unsuitable(.tooLong(maximum: 4))])
    }

    /// An activation that was interrupted before its third step.
    private func interrupted() async throws -> (stage: Stage, activationPassword: String) {
        let stage = try await Stage()
        let activationPassword = try await stage.platform.register("alice")
        let pass: @Sendable (OrchestrationCommand) async throws -> OrchestrationCommand = { $0 }
        let lost: @Sendable (OrchestrationCommand) async throws -> OrchestrationCommand = { _ in
            throw OrchestrationError(.transport)
        }
        stage.wire.tamper(pass, pass, lost, lost, lost)
        await #expect(throws: OrchestrationError(.transport)) {
            try await stage.orchestrator().activate("alice", with: activationPassword)
                .result()
        }
        return (stage, activationPassword)
    }

    @Test func `inputs of another form end a resumed activation only when they come in a row`() async throws {
        let (stage, _) = try await interrupted()
        let short = InputRejection.unsuitable(.tooShort(minimum: 6))
        let user = ScriptedUser(
            Array(repeating: .password("1"), count: 4) + [.password("999999")]
                + Array(repeating: .password("1"), count: 5))
        let words = try await story(stage.orchestrator(user: user).resumeActivation(of: "alice"))
        #expect(words.filter { $0 == "rejected: \(short)" }.count == 9)
        #expect(words.last == "aborted: inputRejectedTooOften")
        // The number of tries that the platform has named stays at the prompt after an input of another form.
        #expect(user.prompts.map(\.remainingTries) == [nil, nil, nil, nil, nil, 4, 4, 4, 4, 4])
        let report = try await stage.platform.platform.account(ActivationExchange.account)
        #expect(report?.devices.map(\.passwordFailures) == [1])
    }

    @Test func `a resumed activation that is superseded at its prompt spends no try`() async throws {
        let (stage, _) = try await interrupted()
        let shared = Mutex<Orchestrator?>(nil)
        let user = ScriptedUser([
            ScriptedAnswer { _ in
                // The view starts the flow again while the first one asks. The second one asks, and is canceled.
                guard let app = shared.withLock({ $0 }) else { throw UserAuthenticationError.aborted }
                _ = try await story(app.resumeActivation(of: "alice"))
                return UserInput(SecretBytes(copying: "999999".utf8))
            },
            .abort,
        ])
        let app = try stage.orchestrator(user: user)
        shared.withLock { $0 = app }
        #expect(try await story(app.resumeActivation(of: "alice")) == ["aborted: superseded"])
        let report = try await stage.platform.platform.account(ActivationExchange.account)
        #expect(report?.devices.map(\.passwordFailures) == [0])
    }

    @Test func `a resumed activation refuses an input of another form without a try`() async throws {
        let (stage, activationPassword) = try await interrupted()
        let user = ScriptedUser([.password("48291"), .password(Stage.password)])
        let resumed = try stage.orchestrator(user: user)
        let words = try await story(
            resumed.activate("alice", with: activationPassword))
        #expect(words.last == "succeeded")
        #expect(user.prompts.map(\.purpose) == [.authenticate, .authenticate])
        #expect(user.prompts.map(\.rejection) == [nil, .unsuitable(.tooShort(minimum: 6))])
        #expect(user.prompts.map(\.policy) == [.default, .default])
        let report = try await stage.platform.platform.account(ActivationExchange.account)
        #expect(report?.devices.map(\.passwordFailures) == [0])
    }

    @Test func `the form depends on the policy alone`() throws {
        for text in ["111111", "123456", "482915", "010190"] {
            let password = Sample.password(text)
            #expect(password.formFault(under: .default) == nil)
        }
        for (text, fault) in [
            ("12345", PasswordFault.tooShort(minimum: 6)), ("", .tooShort(minimum: 6)),
            ("1234567890123", .tooLong(maximum: 12)), ("12345a", .notDigits), ("1234\u{7}6", .invalidText),
            ("\u{663}\u{663}\u{663}\u{663}\u{663}\u{663}", .notDigits),
        ] {
            #expect(Sample.password(text).formFault(under: .default) == fault)
        }
    }
}
