import Benchmark
import Orchestration
import OrchestrationTesting
import Primitives
import TestSupport
import TrustedIdentity

/// Registers flows of one-time passwords on the device and logins at the platform.
func authenticationBenchmarks() {
    oneTimePasswordFlowBenchmarks()
    loginBenchmarks()
}

/// Logins with a correct one-time password, in process. The platform accepts each one once.
func loginBenchmarks() {
    login("login-memory") { _ in SQLiteDatabase.inMemory() }
    login("login-sqlite") { try await SQLiteDatabase(path: $0.file("platform.sqlite")) }
    warmLogin("login-memory-warm", .accepted) { try await $0.code() }
    warmLogin("login-memory-warm-blocked", .blocked) { try await $0.block() }
    warmLogin("login-memory-warm-unknown", .unknownAccount, of: "alice-2@master") { _ in "00000000" }
}

private func login(_ name: String, _ store: @escaping @Sendable (TemporaryFolder) async throws -> any SQLDatabase) {
    Benchmark(name, configuration: .slowPath) { benchmark in
        let folder = try TemporaryFolder()
        let stage = try await Stage(store: store(folder))
        let alice = try await stage.newcomer()
        try await alice.activate()
        // The codes come from a counter, because a code of the time permits one login per 30 seconds.
        let code = try await alice.orchestrator.user(alice.account.text).oneTimePassword(
            application: .app2, synchronizingWithin: nil
        ).oneTimePassword
        let request = LoginRequest(account: alice.account, credential: .oneTimePassword(code, application: .app2))
        try await benchmark.measure {
            guard try await stage.platform.login(request).status == .accepted else {
                throw Unexpected("a right code is refused")
            }
        }
    }
}

/// Logins on one platform, of which all but the first find warm caches: a right code, any code during a block, and a
/// code for an account that does not exist. Their times should be equal, except that a right code also moves its
/// counter.
private func warmLogin(
    _ name: String, _ reason: LoginDecision.Reason, of account: String? = nil,
    code: @escaping @Sendable (ActivatedAccount) async throws -> String
) {
    let shared = SharedAccount()
    Benchmark(name, configuration: .slowPath) { benchmark in
        let activated = try await shared.activated()
        let named = try account.map { try AccountName(text: $0, defaultDomain: "master") } ?? activated.newcomer.account
        let request = try await LoginRequest(
            account: named, credential: .oneTimePassword(code(activated), application: .app2))
        try await benchmark.measure {
            let decision = try await activated.stage.platform.login(request)
            guard decision.reason == reason else { throw Unexpected("a login was decided as \(decision.reason)") }
        }
    }
}

/// An account with a device on a platform in memory.
private struct ActivatedAccount: Sendable {
    let stage: Stage
    let newcomer: Newcomer

    init() async throws {
        stage = try await Stage()
        newcomer = try await stage.newcomer()
        try await newcomer.activate()
    }

    /// Returns a code that was not used before.
    func code() async throws -> String {
        try await newcomer.orchestrator.user(newcomer.account.text).oneTimePassword(
            application: .app2, synchronizingWithin: nil
        ).oneTimePassword
    }

    /// Types wrong codes until the account is blocked. Returns another one.
    func block() async throws -> String {
        let wrong = "00000000"
        let request = LoginRequest(
            account: newcomer.account, credential: .oneTimePassword(wrong, application: .app2))
        while try await stage.platform.login(request).reason != .blocked {}
        return wrong
    }
}

/// An account that is activated at its first use.
private actor SharedAccount {
    private var made: Task<ActivatedAccount, any Error>?

    func activated() async throws -> ActivatedAccount {
        let task = made ?? Task { try await ActivatedAccount() }
        made = task
        return try await task.value
    }
}
