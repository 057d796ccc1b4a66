import OrchestrationProtocol
import OrchestrationTesting
import Primitives
import Testing
import TrustedIdentity

@testable import Orchestration

/// An activated device with a provider of the keys of one method, at a platform that asks for that method.
struct MethodScene {
    static let wrongPassword = "739152"

    let stage: Stage
    let account: AccountName
    let keys: ScriptedMethodKeys

    /// - Parameters:
    ///   - method: What logins and payments ask for.
    ///   - fallbacks: What the policy accepts in its place; `nil` for the default.
    ///   - protection: What the provider states.
    ///   - steps: The steps of an enrollment before its end.
    init(
        _ method: AuthenticationMethod = .biometric, fallbacks: [AuthenticationMethod]? = [.password],
        protection: MethodProtection = .system, steps: Int = 0, software: Bool = false
    ) async throws {
        stage = try await Stage(policy: Self.policy(method, fallbacks: fallbacks, software: software))
        account = try AccountName(userID: "alice", domain: "master")
        keys = ScriptedMethodKeys(method, protection: protection, steps: steps)
        try await stage.activate()
    }

    /// Returns a policy that asks for a method.
    static func policy(
        _ method: AuthenticationMethod, fallbacks: [AuthenticationMethod]?, software: Bool
    ) throws -> Policy {
        let requirement = try #require(PolicyRequirement(method, fallbacks: fallbacks))
        let rule = try #require(PolicyRule("asked", then: .challenge(requirement)))
        let rules = try #require(PolicyRules([rule]))
        return try #require(
            Policy(name: "methods", logins: rules, transactions: rules, softwareProviders: software))
    }

    var method: AuthenticationMethod { keys.method }

    /// A fresh process of the app.
    func app(
        user: ScriptedUser? = nil, transport: (any Transport)? = nil, store: (any SecureStore)? = nil
    ) throws -> Orchestrator {
        try stage.orchestrator(transport: transport, providers: [user ?? stage.user, keys], store: store)
    }

    /// Enrolls, and returns the events in words.
    @discardableResult
    func enroll(
        user: ScriptedUser? = nil, transport: (any Transport)? = nil, store: (any SecureStore)? = nil
    ) async throws -> [String] {
        try await story(app(user: user, transport: transport, store: store).enroll(method, for: "alice"))
    }

    func remove() async throws -> [String] {
        try await story(app().remove(method, of: "alice"))
    }

    func record() async throws -> UserRecord {
        try #require(try await stage.orchestrator().environment.vault.record(account))
    }

    func device() async throws -> DeviceRecord {
        let devices = try await stage.platform.store.read { [name = account.text] in try $0.devices(of: name) }
        return try #require(devices.first)
    }

    /// Asks for a login, approves it, and returns the events in words with what the receipt states.
    func approve(user: ScriptedUser? = nil) async throws -> (words: [String], statement: VerifiedReceipt?) {
        let report = try await stage.platform.requestLogin("alice")
        let run = try await ApprovalRun(app(user: user).execute(#require(report.pointer))) { try await $0.approve() }
        return (run.words, run.answered?.statement)
    }
}
