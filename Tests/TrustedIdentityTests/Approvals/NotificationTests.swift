import OrchestrationTesting
import Primitives
import Testing
import Wire

@testable import TrustedIdentity

/// Streams of notifications: the pointers of one device.
@Suite struct NotificationTests {
    let harness: Harness
    let phone: Authenticator

    init() async throws {
        harness = try await Harness()
        phone = try await harness.activate()
        try await phone.registerNotifications(with: harness)
    }

    private func open(after lastID: [UInt8]? = nil) async throws -> AsyncThrowingStream<NotificationEvent, any Error> {
        let token = try await phone.openNotifications(with: harness)
        return try await harness.platform.notifications(channel: "pull:1", token: token, after: lastID)
    }

    @Test func `a stream begins with what waits, and goes on with what comes`() async throws {
        let first = try await harness.requestLogin(source: "a")
        var events = try await open().makeAsyncIterator()
        #expect(try await events.next() == .approval(id: #require(first.id), pointer: #require(first.pointer)))
        let second = try await harness.requestPayment("50")
        #expect(try await events.next() == .approval(id: #require(second.id), pointer: #require(second.pointer)))
    }

    @Test func `a stream goes on after the last id that the device has`() async throws {
        let first = try await harness.requestLogin(source: "a")
        harness.time.advance(seconds: 1)
        let second = try await harness.requestLogin(source: "b")
        var events = try await open(after: first.id).makeAsyncIterator()
        #expect(try await events.next() == .approval(id: #require(second.id), pointer: #require(second.pointer)))
    }

    @Test func `a request that is not announced is not on the stream`() async throws {
        for source in ["a", "b", "c"] {
            let report = try await harness.requestLogin(source: source)
            _ = try await harness.platform.cancelApproval(requestID: report.requestID)
        }
        _ = try await harness.requestLogin(source: "d")
        let stream = try await open()
        async let next = stream.first { _ in true }
        await harness.time.sleepers(1)
        harness.time.advance(seconds: 15)
        #expect(try await next == .heartbeat)
    }

    @Test func `a token opens one stream, of its channel, within a minute`() async throws {
        func opens(_ token: [UInt8], channel: String = "pull:1") async throws -> Bool {
            do {
                _ = try await harness.platform.notifications(channel: channel, token: token)
                return true
            } catch let error as PlatformError where error.code == .invalidStreamToken {
                return false
            }
        }
        let token = try await phone.openNotifications(with: harness)
        #expect(try await opens(token))
        #expect(try await !opens(token))
        #expect(try await !opens([UInt8](repeating: 0, count: 16)))
        #expect(try await !opens(phone.openNotifications(with: harness), channel: "pull:2"))
        let late = try await phone.openNotifications(with: harness)
        harness.time.advance(seconds: 60)
        #expect(try await !opens(late))
        // A later token replaces an earlier one.
        let earlier = try await phone.openNotifications(with: harness)
        let later = try await phone.openNotifications(with: harness)
        #expect(try await !opens(earlier))
        #expect(try await opens(later))
    }

    @Test func `a stream ends after an hour, with its device, and with a newer stream`() async throws {
        let old = try await open()
        let new = try await open()
        #expect(try await old.first { _ in true } == nil)
        async let ended: Void = { for try await _ in new {} }()
        await harness.time.sleepers(1)
        try await harness.platform.revokeDevice(phone.id, of: Harness.account(), requestedBy: .administrator)
        try await ended
        let tablet = try await harness.activate()
        try await tablet.registerNotifications(with: harness)
        let token = try await tablet.openNotifications(with: harness)
        let last = try await harness.platform.notifications(channel: "pull:1", token: token)
        harness.time.advance(seconds: 3_600)
        #expect(try await last.first { _ in true } == nil)
    }
}

extension Authenticator {
    /// Gets a token for a stream of notifications.
    func openNotifications(with harness: Harness) async throws -> [UInt8] {
        let answer = try await send(.notificationsOpen, to: harness)
        guard case .accepted(let body) = answer.result,
            let opened = body.answer(to: NotificationsOpenMessage.self)
        else { throw RefusedApproval(code: answer.refusal) }
        return opened.token
    }
}
