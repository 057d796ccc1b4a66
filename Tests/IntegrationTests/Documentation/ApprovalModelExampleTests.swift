import Foundation
import Orchestration
import OrchestrationTesting
import Testing
import TrustedIdentity

/// The model of the article "Approve logins and payments", without the view.
@MainActor @Suite(.timeLimit(.minutes(20))) struct ApprovalModelExampleTests {
    @Test func `the user sees the requests one after another, and answers each`() async throws {
        let platform = try await TestPlatform(showsNumbers: true)
        var configuration = try Configuration(app: "com.example.bank")
        configuration.passwordCost = .testing
        let app = try await Orchestrator(
            configuration: configuration, transport: platform.transport,
            providers: [ScriptedUser(password: "482915")], store: MemoryStore(), time: platform.time)
        let alice = app.user("alice")
        try await alice.activate(with: platform.register("alice"))
        let login = try await platform.requestLogin("alice")
        platform.time.advance(seconds: 1)
        let payment = try await platform.requestPayment("alice", "10.00", to: "Shop")
        let model = ApprovalModel()
        let listening = Task { await model.listen(to: alice) }
        while model.requests.count < 2 { try await Task.sleep(for: .milliseconds(1)) }
        await model.approve()
        #expect(model.requests.count == 2, "a number of another form: \(model.message)")
        model.number = try #require(login.numberToMatch)
        await model.approve()
        #expect(model.requests.count == 1 && model.message == "approved" && model.number.isEmpty)
        await model.reject(.wrongData)
        #expect(model.requests.isEmpty && model.message.hasPrefix("rejected"))
        #expect(try await platform.approval(login).status == .accepted)
        #expect(try await platform.approval(payment).status == .refused)
        listening.cancel()
        await listening.value
    }
}
