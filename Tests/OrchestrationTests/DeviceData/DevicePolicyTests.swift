import OrchestrationProtocol
import OrchestrationTesting
import Primitives
import Testing
import TrustedIdentity

@testable import Orchestration

/// A policy that reads device data, from the feeder of an app to the decision.
@Suite struct DevicePolicyTests {
    /// Payments above 30 EUR from a rooted device are refused.
    static func policy() throws -> Policy {
        let large = try #require(AmountRange(atLeast: MonetaryAmount(Amount("30.01"), Currency("EUR"))))
        var policy = Policy.default
        let refused = try #require(
            PolicyRule("rooted", when: [.amount(large), .deviceData(key: "rooted", value: "true")], then: .refuse))
        policy.transactions = try #require(PolicyRules([refused] + policy.transactions.rules))
        return policy
    }

    private func scene(_ feeder: ScriptedFeeder) async throws -> (Stage, Orchestrator) {
        let stage = try await Stage(policy: Self.policy())
        try await stage.activate()
        let app = try stage.orchestrator(deviceData: DeviceDataSettings(feeder: feeder))
        try await app.user("alice").registerNotifications()
        return (stage, app)
    }

    @Test func `a payment above 30 EUR is refused for a rooted device, and a smaller one is not`() async throws {
        let (stage, app) = try await scene(ScriptedFeeder(isRooted: true))
        for (amount, word, status) in [
            ("30.01", "aborted: methodRefused", ApprovalReport.Status.refused), ("30.00", "succeeded", .accepted),
        ] {
            let report = try await stage.platform.requestPayment("alice", amount, to: "Shop")
            let run = try await ApprovalRun(app.execute(#require(report.pointer))) { try await $0.approve() }
            #expect(run.words.last == word)
            let ended = try await stage.platform.approval(report)
            #expect(ended.status == status && (ended.declineReason == .methodRefused) == (status == .refused))
        }
    }

    @Test func `a device that is not rooted is asked`() async throws {
        let (stage, app) = try await scene(ScriptedFeeder(isRooted: false))
        let report = try await stage.platform.requestPayment("alice", "300", to: "Shop")
        let run = try await ApprovalRun(app.execute(#require(report.pointer))) { try await $0.approve() }
        #expect(run.words.last == "succeeded")
        #expect(try await stage.platform.approval(report).status == .accepted)
    }

    @Test func `a device that is rooted when it answers is refused, and its rejection is accepted`() async throws {
        for approves in [true, false] {
            let feeder = ScriptedFeeder(isRooted: false)
            let (stage, app) = try await scene(feeder)
            let report = try await stage.platform.requestPayment("alice", "300", to: "Shop")
            feeder.answer { AppDeviceData(isRooted: true) }
            stage.advance(seconds: 60)
            let run = try await ApprovalRun(app.execute(#require(report.pointer))) { request in
                if approves { try await request.approve() } else { try await request.reject(.canceled) }
            }
            #expect(run.words.last == (approves ? "aborted: methodRefused" : "succeeded"))
            #expect(try await stage.platform.approval(report).status == .refused)
        }
    }

    @Test func `with two devices the one that answers decides`() async throws {
        let (stage, honest) = try await scene(ScriptedFeeder(isRooted: false))
        let rooted = try stage.orchestrator(
            user: ScriptedUser(password: Stage.password), store: MemoryStore(), keys: DeterministicDeviceKeys(seed: 6),
            deviceData: DeviceDataSettings(feeder: ScriptedFeeder(isRooted: true)))
        let code = try await stage.platform.register("alice")
        try await rooted.user("alice").activate(with: code)
        try await rooted.user("alice").registerNotifications()
        let first = try await stage.platform.requestPayment("alice", "300", to: "Shop")
        #expect(first.status == .pending)
        let refused = try await ApprovalRun(rooted.execute(#require(first.pointer))) { try await $0.approve() }
        #expect(refused.words.last == "aborted: methodRefused")
        let second = try await stage.platform.requestPayment("alice", "300", to: "Shop")
        let accepted = try await ApprovalRun(honest.execute(#require(second.pointer))) { try await $0.approve() }
        #expect(accepted.words.last == "succeeded")
    }

    @Test func `a device without data is refused, unless the policy says what to do`() async throws {
        let password = PolicyAction.challenge(try #require(PolicyRequirement(.password)))
        let known = try #require(
            PolicyRule("sound", when: [.deviceData(key: "rooted", value: "false")], then: password))
        let unknown = try #require(PolicyRule("unknown", when: [.deviceDataUnknown(key: "rooted")], then: password))
        let rest = try #require(PolicyRule("rest", then: .refuse))
        var (strict, lenient) = (Policy.default, Policy.default)
        strict.transactions = try #require(PolicyRules([known, rest]))
        lenient.transactions = try #require(PolicyRules([known, unknown, rest]))
        let feeders: [(any DeviceDataFeeder)?] = [nil, ScriptedFeeder { throw ScriptedFeeder.Failure() }]
        let settings = feeders.map { DeviceDataSettings(feeder: $0) } + [.off]
        for (policy, isAccepted) in [(try Self.policy(), false), (strict, false), (lenient, true)] {
            let stage = try await Stage(policy: policy)
            try await stage.activate()
            for settings in settings {
                let app = try stage.orchestrator(deviceData: settings)
                try await app.user("alice").registerNotifications()
                let report = try await stage.platform.requestPayment("alice", "300", to: "Shop")
                let run = try await ApprovalRun(app.execute(#require(report.pointer))) { try await $0.approve() }
                #expect(run.words.last == (isAccepted ? "succeeded" : "aborted: methodRefused"))
            }
        }
    }
}
