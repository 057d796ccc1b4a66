import Orchestration
import OrchestrationTesting
import Testing
import TrustedIdentity

/// The test of the article "Getting started".
@Suite(.timeLimit(.minutes(20))) struct TestingExample {
    @Test func `a login is approved with the number of the site`() async throws {
        let platform = try await TestPlatform(showsNumbers: true)
        let device = try TestDevice(seed: 1, time: platform.time)
        let app = try await device.orchestrator(
            transport: platform.transport, user: ScriptedUser(password: "482915"))
        let alice = app.user("alice")
        try await alice.activate(with: platform.register("alice"))
        let login = try await platform.requestLogin("alice")
        for try await request in alice.approvalRequests() {
            try await request.approve(number: login.numberToMatch)
            break
        }
        #expect(try await platform.approval(login).status == .accepted)
    }
}
