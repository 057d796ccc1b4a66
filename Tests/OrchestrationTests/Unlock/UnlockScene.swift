import OrchestrationTesting
import Primitives
import Testing

@testable import Orchestration

extension PasswordChangeScene {
    /// The first step of an unlock after five wrong passwords.
    static let redeemed = ["unlock 1/2", "warning: failedPasswords(5)"]

    /// Creates the scene, and locks the device by five wrong passwords.
    static func locked() async throws -> PasswordChangeScene {
        let scene = try await PasswordChangeScene()
        try await scene.lock()
        return scene
    }

    func lock() async throws {
        let words = try await change(ScriptedUser(password: "739152"))
        #expect(words.last == "aborted: userLocked")
        let record = try await record()
        #expect(record.state == .locked(.wrongPassword))
    }

    func unlockCode() async throws -> String { try await stage.platform.issueUnlockCode("alice") }

    /// Returns a user who chooses a password.
    static func choosing(_ password: String = newPassword) -> ScriptedUser {
        ScriptedUser([.password(password), .password(password)])
    }

    /// Runs a whole unlock and returns its events in words.
    func unlock(
        with code: String, _ user: ScriptedUser = choosing(), transport: (any Transport)? = nil,
        store: (any SecureStore)? = nil
    ) async throws -> [String] {
        try await story(
            stage.orchestrator(user: user, transport: transport, store: store).unlock("alice", with: code))
    }

    /// Runs an unlock that is refused.
    func refusal(of code: String, store: (any SecureStore)? = nil) async throws -> OrchestrationError {
        let alice = try stage.orchestrator(user: Self.choosing(), store: store).user("alice")
        return try await #require(throws: OrchestrationError.self) { try await alice.unlock(with: code) }
    }
}
