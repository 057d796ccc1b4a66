import Foundation
import Orchestration
import OrchestrationHTTP
import OrchestrationTesting
import Primitives
import Testing
import TrustedIdentity

/// Streams of notifications between the transport of an app and the server.
@Suite struct ServerNotificationTests {
    @Test(arguments: NotificationTransportConformance.checks)
    func `streams of the server keep the contract`(
        _ check: ConformanceCheck<NotificationTransportSubject>
    ) async throws {
        let time = ManualTimeSource()
        try await TestServer.run(time: time) { server in
            let url = try #require(URL(string: "http://127.0.0.1:\(server.port)"))
            let transport = try HTTPTransport(endpoint: url, timeout: .seconds(300))
            let alice = try AccountName(userID: "alice", domain: "master")
            let app = try await TestDevice(seed: 4, time: time).orchestrator(
                transport: transport, user: ScriptedUser(password: "482915"))
            let code = try await server.platform.register(Registration(account: alice)).activationPassword
            try await app.user("alice").activate(with: code)
            try await app.user("alice").registerNotifications()
            try await check.run(
                NotificationTransportSubject(
                    transport: transport, refusing: transport,
                    stream: { try await ScriptedNotifications.stream(for: "alice", of: app) },
                    request: {
                        time.advance(seconds: 1)
                        let report = try await server.platform.requestApproval(
                            ApprovalParameters(.event, of: alice, display: DisplayData([.text("A new address")])))
                        let (pointer, id) = (try #require(report.pointer), try #require(report.id))
                        return .pointer(pointer, eventID: Hex.encode(id))
                    },
                    beat: {
                        await time.sleepers(1)
                        time.advance(seconds: 15)
                    },
                    end: {
                        // The longest time for which a stream is open.
                        await time.sleepers(1)
                        time.advance(seconds: 3_600)
                    }))
        }
    }
}
