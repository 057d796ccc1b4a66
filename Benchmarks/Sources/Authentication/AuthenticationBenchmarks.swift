import Benchmark
import Orchestration
import OrchestrationTesting
import Primitives
import TestSupport
import TrustedIdentity
import TrustedIdentitySQLite

/// Registers flows of one-time passwords on the device and logins at the platform.
func authenticationBenchmarks() {
    oneTimePasswordFlowBenchmarks()
    loginBenchmarks()
}

/// Logins with a correct one-time password, in process. The platform accepts each one once.
func loginBenchmarks() {
    login("login-memory") { _ in MemoryPlatformStore() }
    login("login-sqlite") { try await SQLiteStore(path: $0.file("platform.sqlite")) }
}

private func login(_ name: String, _ store: @escaping @Sendable (TemporaryFolder) async throws -> any PlatformStore) {
    Benchmark(name, configuration: .slowPath) { benchmark in
        let folder = try TemporaryFolder()
        let stage = try await Stage(store: store(folder))
        let alice = try await stage.newcomer()
        try await alice.activate()
        // The codes come from a counter, because a code of the time permits one login per 30 seconds.
        let code = try await alice.orchestrator.oneTimePassword(
            for: .init(user: alice.account.text, application: .app2, synchronization: .never)
        ).oneTimePassword
        let request = LoginRequest(account: alice.account, credential: .oneTimePassword(code, application: .app2))
        try await benchmark.measure {
            guard try await stage.platform.login(request).status == .accepted else {
                throw Unexpected("a right code is refused")
            }
        }
    }
}
