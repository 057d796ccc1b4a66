import OrchestrationProtocol
import OrchestrationTesting
import Primitives
import Synchronization
import Testing

@testable import Orchestration

@Suite struct NotificationFeedTests {
    private static let token = "[A-Za-z0-9_-]{22}"

    @Test func `pointers come once each, whatever the stream repeats`() async throws {
        let stage = try await ApprovalStage()
        let (notifications, orchestrator) = (ScriptedNotifications(), try stage.orchestrator())
        let pointers = (0..<3).map { Self.pointer(UInt8($0)) }
        notifications.greet(with: [
            .heartbeat, .pointer(pointers[0], eventID: "a"), .pointer(pointers[0], eventID: "a"),
            .pointer(Self.pointer(9, tenant: "other"), eventID: "x"),
            .pointer(try OrchestrationCommand(bytes: [0x81, 0x01]), eventID: nil), .pointer(pointers[1], eventID: "b"),
        ])
        var feed = orchestrator.notifications(for: "alice", over: notifications).makeAsyncIterator()
        #expect(try await feed.next() == pointers[0])
        #expect(try await feed.next() == pointers[1])
        notifications.send(.pointer(pointers[2], eventID: "c"))
        #expect(try await feed.next() == pointers[2])
        let opening = try #require(notifications.openings.first)
        #expect(opening.channel.hasPrefix("pull:"))
        #expect(opening.token.count == 22)
        #expect(opening.lastEventID == nil)
        #expect("\(opening)" == "NotificationStream")
    }

    @Test func `a broken stream is opened again with a new token and the last id, after a pause`() async throws {
        let stage = try await ApprovalStage()
        let (notifications, time) = (ScriptedNotifications(), stage.stage.time)
        notifications.greet(with: [.pointer(Self.pointer(1), eventID: "one")])
        let feed = try stage.orchestrator().notifications(for: "alice", over: notifications)
        var iterator = feed.makeAsyncIterator()
        #expect(try await iterator.next() == Self.pointer(1))
        notifications.greet(with: [
            .pointer(Self.pointer(1), eventID: "one"), .pointer(Self.pointer(2), eventID: "two"),
        ])
        notifications.breakStream(OrchestrationError(.transport))
        notifications.refuseStreams(2)
        async let mover: Void = Self.move(time, seconds: 4, times: 3)
        #expect(try await iterator.next() == Self.pointer(2))
        await mover
        let openings = notifications.openings
        #expect(openings.count == 4)
        #expect(Set(openings.map(\.token)).count == 4)
        #expect(openings.map(\.lastEventID) == [nil, "one", "one", "one"])
    }

    @Test func `a stream that is silent for 45 seconds is opened again`() async throws {
        let stage = try await ApprovalStage()
        let (notifications, time) = (ScriptedNotifications(), stage.stage.time)
        let feed = try stage.orchestrator().notifications(for: "alice", over: notifications)
        async let waker: Void = {
            // The silence of the first stream, and the pause before the second one.
            await time.sleepers(1)
            time.advance(seconds: 44)
            #expect(notifications.openings.count == 1)
            notifications.greet(with: [.pointer(Self.pointer(1), eventID: nil)])
            time.advance(seconds: 1)
            await time.sleepers(1)
            time.advance(seconds: 1)
        }()
        var iterator = feed.makeAsyncIterator()
        #expect(try await iterator.next() == Self.pointer(1))
        await waker
        #expect(notifications.openings.count == 2)
    }

    @Test func `without a stream the list is asked in intervals, and survives a lost network`() async throws {
        let stage = try await ApprovalStage()
        let time = stage.stage.time
        let first = try stage.desk.request()
        var iterator = try stage.orchestrator().notifications(for: "alice").makeAsyncIterator()
        #expect(try await iterator.next() == first.pointer)
        let second = try stage.desk.request()
        stage.wire.cut(true)
        async let mover: Void = {
            await time.sleepers(1)
            time.advance(seconds: 30)
            // The attempt without a network, and the pause after it.
            await time.sleepers(1)
            stage.wire.cut(false)
            time.advance(seconds: 1)
        }()
        #expect(try await iterator.next() == second.pointer)
        await mover
    }

    @Test func `polling brings announced requests only, and the list has all`() async throws {
        let stage = try await ApprovalStage()
        let time = stage.stage.time
        let (muted, announced) = (try stage.desk.request(), try stage.desk.request())
        stage.desk.change(muted.id) { $0.isAnnounced = false }
        let orchestrator = try stage.orchestrator()
        var iterator = orchestrator.notifications(for: "alice").makeAsyncIterator()
        #expect(try await iterator.next() == announced.pointer)
        let listed = try await orchestrator.user("alice").pendingApprovals()
        #expect(listed.map(\.id) == [muted.id, announced.id] && listed.map(\.isAnnounced) == [false, true])
        let third = try stage.desk.request()
        async let mover: Void = {
            await time.sleepers(1)
            time.advance(seconds: 30)
        }()
        #expect(try await iterator.next() == third.pointer)
        await mover
    }

    @Test func `a user who cannot be used ends the sequence`() async throws {
        let stage = try await ApprovalStage()
        let orchestrator = try stage.orchestrator()
        for (user, code) in [("bob", OrchestrationError.Code.notActivated), ("a/b", .invalidUser)] {
            await #expect(throws: OrchestrationError(code)) {
                for try await _ in orchestrator.notifications(for: user, over: ScriptedNotifications()) {}
            }
        }
        stage.desk.refuse(.suspended)
        await #expect(throws: OrchestrationError(.suspended)) {
            for try await _ in orchestrator.notifications(for: "alice", over: ScriptedNotifications()) {}
        }
        await #expect(throws: OrchestrationError(.invalidConfiguration)) {
            for try await _ in orchestrator.notifications(for: "alice", pollingEvery: .zero) {}
        }
    }

    @Test func `a task that is canceled ends the sequence`() async throws {
        let stage = try await ApprovalStage()
        let (notifications, orchestrator) = (ScriptedNotifications(), try stage.orchestrator())
        notifications.greet(with: [.pointer(Self.pointer(1), eventID: nil)])
        let (started, start) = AsyncStream<Void>.makeStream()
        let task = Task {
            for try await _ in orchestrator.notifications(for: "alice", over: notifications) { start.yield() }
            try Task.checkCancellation()
        }
        for await _ in started { break }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
    }

    @Test func `pauses double up to a minute, and up to a half is taken off`() {
        let random = SeededRandomSource(seed: 7)
        for failures in 1...12 {
            let full = min(Int64(1_000) << min(Int64(failures - 1), 6), 60_000)
            for _ in 0..<20 {
                let pause = NotificationPace.pause(afterFailures: failures, random: random)
                #expect(pause <= .milliseconds(full))
                #expect(pause >= .milliseconds(full / 2))
            }
        }
    }

    @Test func `an approval that arrives on the stream is decided`() async throws {
        let user = ScriptedUser(password: Stage.password)
        let stage = try await ApprovalStage(user: user)
        let (notifications, orchestrator) = (ScriptedNotifications(), try stage.orchestrator())
        let (_, pointer) = try stage.desk.request(number: "482913")
        notifications.greet(with: [.pointer(pointer, eventID: nil)])
        user.willDecide(.approve(number: "482913"))
        for try await pointer in orchestrator.notifications(for: "alice", over: notifications) {
            guard
                case .succeeded(.approvalAnswered(let approval)) = try await user.follow(orchestrator.execute(pointer))
            else { throw Failure() }
            #expect(approval.decision == .approved)
            break
        }
        #expect(user.approvals.map(\.digits) == [6])
    }

    @Test(arguments: NotificationTransportConformance.checks)
    func `the scripted streams keep the contract`(
        _ check: ConformanceCheck<NotificationTransportSubject>
    ) async throws {
        let (notifications, refusing) = (ScriptedNotifications(), ScriptedNotifications())
        refusing.refuseStreams(1)
        let count = Mutex<UInt8>(0)
        try await check.run(
            NotificationTransportSubject(
                transport: notifications, refusing: refusing,
                stream: { NotificationStream(channel: "pull:00", token: "t") },
                request: {
                    let number = count.withLock { count in
                        count += 1
                        return count
                    }
                    let signal = NotificationStream.Signal.pointer(Self.pointer(number), eventID: "\(number)")
                    notifications.send(signal)
                    return signal
                }, beat: { notifications.send(.heartbeat) }, end: { notifications.breakStream() }))
    }

    private static func pointer(_ number: UInt8, tenant: String = "default") -> OrchestrationCommand {
        ApprovalPointer(tenant: tenant, id: [UInt8](repeating: number, count: 16)).command
    }

    private static func move(_ time: ManualTimeSource, seconds: Int64, times: Int) async {
        for _ in 0..<times {
            await time.sleepers(1)
            time.advance(seconds: seconds)
        }
    }

    private struct Failure: Error {}
}
