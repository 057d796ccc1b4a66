import Orchestration
import OrchestrationTesting
import Testing

@Suite struct ScriptedUserTests {
    let prompt = Prompt(purpose: .enroll, method: .password, account: "alice@master")

    @Test func `a scripted user answers in order and remembers the prompts`() async throws {
        let user = ScriptedUser([.password("111111"), .password("222222")])
        _ = try await user.authenticate(prompt)
        user.append(.abort, .fail)
        _ = try await user.authenticate(prompt)
        await #expect(throws: UserAuthenticationError.aborted) { try await user.authenticate(prompt) }
        await #expect(throws: UserAuthenticationError.failed) { try await user.authenticate(prompt) }
        await #expect(throws: ScriptExhausted.self) { try await user.authenticate(prompt) }
        #expect(user.prompts.count == 5)
        #expect(user.prompts.first == prompt)
    }

    @Test func `a user with one password never runs out`() async throws {
        let user = ScriptedUser(password: "482915")
        for _ in 0..<3 { _ = try await user.authenticate(prompt) }
        #expect(user.prompts.count == 3)
    }

    @Test func `an availability is what the test sets`() async {
        let user = ScriptedUser([], method: .biometric)
        #expect(await user.availability() == .available)
        user.setAvailability(.notEnrolled)
        #expect(await user.availability() == .notEnrolled)
        #expect(user.method == .biometric)
    }
}
