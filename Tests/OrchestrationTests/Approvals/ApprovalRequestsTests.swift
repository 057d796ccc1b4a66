import OrchestrationProtocol
import OrchestrationTesting
import Primitives
import Testing

@testable import Orchestration

/// The sequence of a user's approval requests.
@Suite(.timeLimit(.minutes(20))) struct ApprovalRequestsTests {
    private static let lost: @Sendable (OrchestrationCommand) async throws -> OrchestrationCommand = { _ in
        throw OrchestrationError(.transport)
    }

    @Test func `what waits comes first, each request once, and a stream brings the next`() async throws {
        let stage = try await ApprovalStage()
        let (first, second) = (try stage.desk.request(), try stage.desk.request())
        let notifications = ScriptedNotifications()
        notifications.greet(with: [
            .pointer(first.pointer, eventID: "a"), .pointer(first.pointer, eventID: "a"),
            .pointer(second.pointer, eventID: "b"),
        ])
        var requests = try stage.orchestrator().user("alice").approvalRequests(over: notifications).makeAsyncIterator()
        let shown = try #require(try await requests.next())
        #expect(shown.id == first.id)
        try await shown.approve()
        #expect(try await requests.next()?.id == second.id)
        let third = try stage.desk.request()
        notifications.send(.pointer(third.pointer, eventID: "c"))
        #expect(try await requests.next()?.id == third.id)
    }

    @Test func `requests that do not wait, cannot be shown or never verify are left out`() async throws {
        let stage = try await ApprovalStage()
        let (ended, unknown, forged, good) = (
            try stage.desk.request(), try stage.desk.request(), try stage.desk.request(), try stage.desk.request()
        )
        stage.desk.change(ended.id) { $0.refusal = .approvalCanceled }
        let request = stage.desk.entry(unknown.id)
        stage.desk.change(unknown.id) { $0.request = try! stage.desk.sign([0xA1, 0x18, 0x63, 0x00]) }
        stage.desk.change(forged.id) { entry in request.map { entry.request = $0.request } }
        let notifications = ScriptedNotifications()
        notifications.greet(with: [ended, unknown, forged, good].map { .pointer($0.pointer, eventID: nil) })
        var requests = try stage.orchestrator().user("alice").approvalRequests(over: notifications).makeAsyncIterator()
        let time = stage.stage.time
        async let mover: Void = {
            // Two pauses for each of the two that do not verify.
            for _ in 0..<4 {
                await time.sleepers(1)
                time.advance(seconds: 2)
            }
        }()
        #expect(try await requests.next()?.id == good.id)
        await mover
    }

    @Test func `a lost network ends nothing, and a locked user does`() async throws {
        let stage = try await ApprovalStage()
        let first = try stage.desk.request()
        let notifications = ScriptedNotifications()
        notifications.greet(with: [.pointer(first.pointer, eventID: nil)])
        let alice = try stage.orchestrator().user("alice")
        var requests = alice.approvalRequests(over: notifications).makeAsyncIterator()
        let (time, wire) = (stage.stage.time, stage.wire)
        // A command is sent three times before it fails.
        wire.tamper({ $0 }, Self.lost, Self.lost, Self.lost)
        async let mover: Void = {
            await time.sleepers(1)
            time.advance(seconds: 1)
        }()
        #expect(try await requests.next()?.id == first.id)
        await mover
        await #expect(throws: OrchestrationError(.notActivated)) {
            for try await _ in try stage.orchestrator().user("bob").approvalRequests(over: notifications) {}
        }
        await #expect(throws: OrchestrationError(.invalidConfiguration)) {
            for try await _ in alice.approvalRequests(pollingEvery: .zero) {}
        }
    }

    @Test func `an answer that was lost is sent again before the next request`() async throws {
        let stage = try await ApprovalStage()
        let first = try stage.desk.request()
        let notifications = ScriptedNotifications()
        notifications.greet(with: [.pointer(first.pointer, eventID: nil)])
        var requests = try stage.orchestrator().user("alice").approvalRequests(over: notifications).makeAsyncIterator()
        let shown = try #require(try await requests.next())
        // A command is sent three times before its flow fails.
        stage.wire.tamper(Self.lost, Self.lost, Self.lost)
        await #expect(throws: OrchestrationError(.transport)) { try await shown.approve() }
        #expect(try await stage.kept().count == 1)
        let second = try stage.desk.request()
        notifications.send(.pointer(second.pointer, eventID: nil))
        #expect(try await requests.next()?.id == second.id)
        #expect(try await stage.kept().isEmpty)
        #expect(Set(stage.desk.answers.map(\.encoded)).count == 1 && stage.desk.answers.count > 1)
    }

    @Test func `a request whose answer the device has lost comes again`() async throws {
        let stage = try await ApprovalStage()
        let first = try stage.desk.request()
        let notifications = ScriptedNotifications()
        notifications.greet(with: [.pointer(first.pointer, eventID: nil)])
        let app = try stage.orchestrator()
        var requests = app.user("alice").approvalRequests(over: notifications).makeAsyncIterator()
        let shown = try #require(try await requests.next())
        // The answer does not arrive.
        stage.wire.cut(true)
        await #expect(throws: OrchestrationError(.transport)) { try await shown.approve() }
        stage.wire.cut(false)
        try await app.environment.vault.update(ActivationExchange.account) { $0.dropAnswer(to: first.id.bytes) }
        let again = try #require(try await requests.next())
        #expect(again.id == first.id)
        try await again.approve()
        #expect(try await stage.kept().isEmpty)
    }

    @Test func `an answer that was refused as too early is sent again before the next request`() async throws {
        let stage = try await ApprovalStage()
        let first = try stage.desk.request()
        let notifications = ScriptedNotifications()
        notifications.greet(with: [.pointer(first.pointer, eventID: nil)])
        var requests = try stage.orchestrator().user("alice").approvalRequests(over: notifications).makeAsyncIterator()
        let shown = try #require(try await requests.next())
        stage.desk.refuse(.rateLimited)
        await #expect(throws: OrchestrationError.self) { try await shown.approve() }
        let second = try stage.desk.request()
        notifications.send(.pointer(second.pointer, eventID: nil))
        #expect(try await requests.next()?.id == second.id)
        #expect(try await stage.kept().isEmpty)
    }
}
