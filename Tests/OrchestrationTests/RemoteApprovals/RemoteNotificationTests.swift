import OrchestrationProtocol
import OrchestrationTesting
import Primitives
import Synchronization
import TestSupport
import Testing
import TrustedIdentity

@testable import Orchestration

/// Pointers that the real platform sends to the real device, over good and bad streams.
@Suite struct RemoteNotificationTests {
    @Test func `an app that was offline gets what waits when its stream opens, and then what comes`() async throws {
        let scene = try await ApprovalScene()
        let first = try await scene.platform.requestLogin("alice")
        scene.stage.advance(seconds: 1)
        let second = try await scene.platform.requestPayment("alice", "45", to: "Shop")
        let (pointers, app) = (Pointers(scene), try scene.app())
        var feed = app.notifications(for: "alice", over: pointers).makeAsyncIterator()
        #expect(try await feed.next() == first.pointer)
        #expect(try await feed.next() == second.pointer)
        let third = try await scene.platform.requestPayment("alice", "46", to: "Shop")
        #expect(try await feed.next() == third.pointer)
        for report in [first, second, third] {
            let run = try await scene.decide(report, on: app) { try await $0.approve() }
            _ = try await scene.checkReceipt(run, of: report)
        }
    }

    @Test func `a request that has ended is not sent to an app that comes later`() async throws {
        let scene = try await ApprovalScene()
        let ended = try await scene.platform.requestLogin("alice", source: "a")
        try await scene.platform.cancelApproval(ended)
        let waiting = try await scene.platform.requestLogin("alice", source: "b")
        var feed = try scene.app().notifications(for: "alice", over: Pointers(scene)).makeAsyncIterator()
        #expect(try await feed.next() == waiting.pointer)
    }

    @Test func `a platform that restarts breaks the stream, and nothing is lost`() async throws {
        let scene = try await ApprovalScene()
        let pointers = Pointers(scene)
        let first = try await scene.platform.requestLogin("alice", source: "a")
        var feed = try scene.app().notifications(for: "alice", over: pointers).makeAsyncIterator()
        #expect(try await feed.next() == first.pointer)
        try await scene.platform.restart()
        let second = try await scene.platform.requestLogin("alice", source: "b")
        async let moving: Void = pointers.moveTime(untilOpening: 2)
        #expect(try await feed.next() == second.pointer)
        await moving
        let openings = pointers.openings.withLock(\.self)
        #expect(Set(openings.map(\.token)).count == 2)
        let last = Hex.encode(try #require(first.id))
        #expect(openings.map(\.lastEventID) == [nil, last])
    }

    @Test func `a stream that loses and repeats leads to one answer for each request`() async throws {
        let user = ScriptedUser(password: Stage.password)
        let scene = try await ApprovalScene(user: user)
        let (notifications, app) = (ScriptedNotifications(), try scene.app())
        let reports = [
            try await scene.platform.requestLogin("alice", source: "a"),
            try await scene.platform.requestLogin("alice", source: "b"),
            try await scene.platform.requestLogin("alice", source: "c"),
        ]
        let signals = try reports.map { NotificationStream.Signal.pointer(try #require($0.pointer), eventID: nil) }
        user.willDecide(.approve(), .reject(.canceled), .approve())
        // The second pointer is lost. The others come twice, in another order, among rubbish.
        let rubbish = NotificationStream.Signal.pointer(try OrchestrationCommand(bytes: [0x81, 0x01]), eventID: "x")
        notifications.greet(with: [.heartbeat, signals[2], rubbish, signals[2], signals[0], signals[0], signals[2]])
        var feed = app.notifications(for: "alice", over: notifications).makeAsyncIterator()
        for expected in [reports[2], reports[0]] {
            let pointer = try #require(try await feed.next())
            #expect(pointer == expected.pointer)
            let end = try await user.follow(app.execute(pointer))
            #expect(end.word == "succeeded")
        }
        // The list has what was lost.
        let left = try await app.user("alice").pendingApprovals()
        #expect(left.map(\.pointer) == [reports[1].pointer])
        let end = try await user.follow(app.execute(#require(left.first).pointer))
        #expect(end.word == "succeeded")
        let count = try await scene.answerCount()
        #expect(count == 3)
    }

    @Test func `a token opens one stream, soon, and of an active device`() async throws {
        let scene = try await ApprovalScene()
        let app = try scene.app()
        func isOpened(_ stream: NotificationStream) async throws -> Bool {
            do {
                _ = try await scene.platform.transport.open(stream)
                return true
            } catch let error as OrchestrationError where error.code == .transport {
                #expect(error.underlying as? PlatformError == PlatformError(.invalidStreamToken))
                return false
            }
        }
        let used = try await ScriptedNotifications.stream(for: "alice", of: app)
        var outcomes = [try await isOpened(used), try await isOpened(used)]
        let late = try await ScriptedNotifications.stream(for: "alice", of: app)
        scene.stage.advance(seconds: 61)
        outcomes.append(try await isOpened(late))
        let foreign = try await ScriptedNotifications.stream(for: "alice", of: app)
        outcomes.append(try await isOpened(NotificationStream(channel: "pull:00", token: foreign.token)))
        let revoked = try await ScriptedNotifications.stream(for: "alice", of: app)
        try await Self.revoke(in: scene)
        outcomes.append(try await isOpened(revoked))
        #expect(outcomes == [true, false, false, false, false])
    }

    @Test func `a revoked device ends its stream, and the app gets the reason`() async throws {
        let scene = try await ApprovalScene()
        let pointers = Pointers(scene)
        let report = try await scene.platform.requestLogin("alice")
        var feed = try scene.app().notifications(for: "alice", over: pointers).makeAsyncIterator()
        #expect(try await feed.next() == report.pointer)
        try await Self.revoke(in: scene)
        let mover = Task { await pointers.moveTime(untilOpening: 2) }
        let error = await #expect(throws: OrchestrationError.self) { _ = try await feed.next() }
        mover.cancel()
        #expect(error?.code == .revoked)
        // The device of a thief learns nothing of the request that still waits.
        await #expect(throws: OrchestrationError(.transport)) {
            _ = try await scene.platform.transport.open(#require(pointers.openings.withLock(\.last)))
        }
    }

    @Test func `a device that is locked gets no further pointers`() async throws {
        let scene = try await ApprovalScene(user: ScriptedUser(password: ApprovalScene.wrongPassword))
        let connection = try await scene.platform.transport.open(
            ScriptedNotifications.stream(for: "alice", of: scene.app()))
        let report = try await scene.platform.requestLogin("alice")
        let signals = [try await connection.next(), try await connection.next()]
        let (pointer, id) = (try #require(report.pointer), try #require(report.id))
        #expect(signals == [.heartbeat, .pointer(pointer, eventID: Hex.encode(id))])
        let run = try await scene.decide(report) { try await $0.approve() }
        #expect(run.words.last == "aborted: userLocked")
        _ = try await scene.platform.requestPayment("alice", "45", to: "Shop")
        let end = try await connection.next()
        #expect(end == nil)
    }

    @Test func `a device that has registered no identifier gets its pointers on the pull channel`() async throws {
        let stage = try await Stage()
        try await stage.activate()
        let report = try await stage.platform.requestLogin("alice")
        let app = try stage.orchestrator(transport: stage.platform.transport)
        var feed = app.notifications(for: "alice").makeAsyncIterator()
        #expect(try await feed.next() == report.pointer)
    }

    @Test func `what is not announced comes neither on a stream nor by asking, and is in the list`() async throws {
        let scene = try await ApprovalScene()
        // The policy announces three requests in ten minutes.
        var reports: [ApprovalReport] = []
        for source in ["a", "b", "c"] {
            reports.append(try await scene.platform.requestLogin("alice", source: source))
            scene.stage.advance(seconds: 1)
        }
        reports.append(try await scene.platform.requestPayment("alice", "45", to: "Shop"))
        let list = try await scene.app().user("alice").pendingApprovals()
        #expect(list.map(\.pointer) == reports.map(\.pointer))
        #expect(list.map(\.isAnnounced) == [true, true, true, false])
        // The transport of the scene has no streams, so that the app asks.
        var feed = try scene.app().notifications(for: "alice").makeAsyncIterator()
        for report in reports.prefix(3) { #expect(try await feed.next() == report.pointer) }
        let connection = try await scene.platform.transport.open(
            ScriptedNotifications.stream(for: "alice", of: scene.app()))
        var signals: [NotificationStream.Signal?] = []
        for _ in 0..<4 { signals.append(try await connection.next()) }
        let expected = try reports.prefix(3).map { report in
            let (pointer, id) = (try #require(report.pointer), try #require(report.id))
            return NotificationStream.Signal?.some(.pointer(pointer, eventID: Hex.encode(id)))
        }
        #expect(signals == [.heartbeat] + expected)
        async let next = connection.next()
        await scene.time.sleepers(1)
        scene.time.advance(seconds: 15)
        #expect(try await next == .heartbeat)
    }

    private static func revoke(in scene: ApprovalScene) async throws {
        let platform = scene.platform.platform
        let account = try #require(try await platform.account(ActivationExchange.account))
        try await platform.revokeDevice(account.devices[0].id, of: ActivationExchange.account)
    }
}

/// The streams of a scene's platform, with what was opened.
private final class Pointers: NotificationTransport {
    let openings = Mutex<[NotificationStream]>([])
    private let transport: InProcessTransport
    private let time: ManualTimeSource

    init(_ scene: ApprovalScene) {
        transport = scene.platform.transport
        time = scene.time
    }

    func open(_ stream: NotificationStream) async throws -> any NotificationConnection {
        openings.withLock { $0.append(stream) }
        return try await transport.open(stream)
    }

    /// Moves the time past the pauses, until a number of streams were opened.
    func moveTime(untilOpening count: Int) async {
        while openings.withLock(\.count) < count, !Task.isCancelled {
            await time.sleepers(1)
            time.advance(milliseconds: 100)
            await Settling.wait()
        }
    }
}
