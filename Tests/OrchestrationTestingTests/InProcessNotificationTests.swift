import Orchestration
import OrchestrationTesting
import Primitives
import Testing
import TrustedIdentity

/// Streams of notifications of the real platform, in process.
@Suite struct InProcessNotificationTests {
    let platform: TestPlatform
    let app: Orchestrator

    init() async throws {
        platform = try await TestPlatform()
        app = try await TestDevice(seed: 4, time: platform.time).orchestrator(
            transport: platform.transport, user: ScriptedUser(password: "482915"))
        let activationPassword = try await platform.register("alice")
        try await app.user("alice").activate(with: activationPassword)
        try await app.user("alice").registerNotifications()
    }

    @Test(arguments: NotificationTransportConformance.checks)
    func `streams of a platform in process keep the contract`(
        _ check: ConformanceCheck<NotificationTransportSubject>
    ) async throws {
        let (platform, app) = (platform, app)
        try await check.run(
            NotificationTransportSubject(
                transport: platform.transport, refusing: platform.transport,
                stream: { try await ScriptedNotifications.stream(for: "alice", of: app) },
                request: {
                    platform.time.advance(seconds: 1)
                    let report = try await platform.requestPayment("alice", "10", to: "Shop")
                    return try Self.signal(of: report)
                },
                beat: {
                    await platform.time.sleepers(1)
                    platform.time.advance(seconds: 15)
                }, end: { try await platform.restart() }))
    }

    @Test func `a restart of the platform breaks a stream with an error`() async throws {
        let connection = try await platform.transport.open(
            ScriptedNotifications.stream(for: "alice", of: app))
        #expect(try await connection.next() == .heartbeat)
        try await platform.restart()
        await #expect(throws: OrchestrationError(.transport)) { _ = try await connection.next() }
    }

    @Test func `a stream goes on after the last event`() async throws {
        let first = try await platform.requestLogin("alice", source: "a")
        platform.time.advance(seconds: 1)
        let second = try await platform.requestLogin("alice", source: "b")
        let stream = try await ScriptedNotifications.stream(for: "alice", of: app)
        let last = Hex.encode(try #require(first.id))
        let connection = try await platform.transport.open(
            NotificationStream(channel: stream.channel, token: stream.token, lastEventID: last))
        let signals = [try await connection.next(), try await connection.next()]
        let expected = [.heartbeat, try Self.signal(of: second)]
        #expect(signals == expected)
    }

    /// Returns what arrives on a stream when the platform announces a request.
    private static func signal(of report: ApprovalReport) throws -> NotificationStream.Signal {
        let (pointer, id) = (try #require(report.pointer), try #require(report.id))
        return .pointer(pointer, eventID: Hex.encode(id))
    }

    @Test func `an app gets the pointers of its platform, and decides`() async throws {
        let user = ScriptedUser(password: "482915")
        user.willDecide(.reject(.wrongData))
        let report = try await platform.requestPayment("alice", "49.90", to: "Shop", account: "DE89370400440532013000")
        for try await pointer in app.notifications(for: "alice") {
            #expect(pointer == report.pointer)
            guard case .succeeded(.approvalAnswered) = try await user.follow(app.execute(pointer)) else {
                Issue.record("the request was not answered")
                return
            }
            break
        }
        #expect(user.approvals.first?.lines.map(\.text) == ["49.90 EUR", "Shop", "DE89370400440532013000"])
        #expect(try await platform.approval(report).declineReason == .wrongData)
    }

    @Test func `a platform of the kit follows its policy, and says whether its site shows numbers`() async throws {
        let refusal = try #require(PolicyRule("no logins", then: .refuse))
        let logins = try #require(PolicyRules([refusal]))
        let policy = try #require(Policy(name: "test", logins: logins))
        let refusing = try await TestPlatform(policy: policy)
        #expect(try await refusing.requestLogin("alice").declineReason == .policy)
        let showing = try await TestPlatform(showsNumbers: true)
        #expect(try await showing.requestLogin("alice").numberToMatch?.count == 6)
        #expect(try await platform.requestLogin("alice").numberToMatch == nil)
        let event = try await platform.requestEvent("alice", showing: [.text("A new address")])
        #expect(event.kind == .event)
        #expect(try await platform.cancelApproval(event).declineReason == .canceled)
        #expect(try await platform.approval(event, waiting: .seconds(5)).status == .refused)
    }
}
