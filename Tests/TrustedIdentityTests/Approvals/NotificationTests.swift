import OrchestrationProtocol
import OrchestrationTesting
import Primitives
import Testing

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

    @Test func `a last id hides no other request of its millisecond, and one of another user hides none`() async throws
    {
        let first = try await harness.requestLogin(source: "a")
        let second = try await harness.requestLogin(source: "b")
        harness.time.advance(seconds: 1)
        let other = try await harness.requestLogin("bob")
        var events = try await open(after: first.id).makeAsyncIterator()
        #expect(try await events.next() == .approval(id: #require(second.id), pointer: #require(second.pointer)))
        var all = try await open(after: other.id).makeAsyncIterator()
        var ids: Set<[UInt8]> = []
        for _ in 0..<2 {
            if case .approval(let id, _)? = try await all.next() { ids.insert(id) }
        }
        #expect(ids == Set([first, second].compactMap(\.id)))
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

    @Test func `a newer stream ends the older at once`() async throws {
        let old = try await open()
        async let end: Void = { for try await _ in old {} }()
        await harness.time.sleepers(1)
        let new = try await open()
        // The clock did not move.
        try await end
        #expect(harness.platform.openStreamCount == 1)
        withExtendedLifetime(new) {}
    }

    @Test func `streams that begin together end at different times of the last ten minutes of an hour`() async throws {
        let lengths = (0..<200).map { _ in Platform.streamLength(random: harness.random) }
        #expect(lengths.allSatisfy { (.seconds(3_000) ... .seconds(3_600)).contains($0) })
        // Each of ten minutes has some of them.
        #expect(Set(lengths.map { Int($0 / .seconds(60)) }).count >= 10)
        var events = try await open().makeAsyncIterator()
        harness.time.advance(seconds: 2_999)
        async let next = events.next()
        await harness.time.sleepers(1)
        harness.time.advance(seconds: 15)
        _ = try await next
    }

    @Test func `the bounds of streams refuse a further one and leave its token as it was`() async throws {
        var configuration = PlatformConfiguration(postQuantum: .off, requestsPerDevice: 6_000)
        (configuration.openStreams, configuration.openStreamsPerAddress) = (3, 2)
        let harness = try await Harness(configuration)
        var tokens: [(channel: String, token: [UInt8])] = []
        for user in ["a@master", "b@master", "c@master", "d@master"] {
            let phone = try await harness.activate(user)
            tokens.append(("pull:" + Hex.encode(phone.id), try await phone.openNotifications(with: harness)))
        }
        func open(
            _ number: Int, from address: String
        ) async throws -> AsyncThrowingStream<NotificationEvent, any Error>? {
            do {
                return try await harness.platform.notifications(
                    channel: tokens[number].channel, token: tokens[number].token, from: address)
            } catch let error as PlatformError where error.code == .busy {
                return nil
            }
        }
        var streams: [AsyncThrowingStream<NotificationEvent, any Error>?] = []
        // One host has all addresses of 64 bits.
        streams.append(try await open(0, from: "2001:db8::1"))
        streams.append(try await open(1, from: "2001:db8::2"))
        #expect(streams.allSatisfy { $0 != nil })
        #expect(try await open(2, from: "2001:db8::3") == nil)
        streams.append(try await open(2, from: "192.0.2.1"))
        #expect(streams.allSatisfy { $0 != nil })
        #expect(try await open(3, from: "192.0.2.2") == nil)
        // The end of a stream frees its place.
        streams[0] = nil
        #expect(harness.platform.openStreamCount == 2)
        #expect(try await open(3, from: "192.0.2.2") != nil)
    }

    @Test func `streams of devices cost their address nothing, and a flood from it does not refuse them`() async throws
    {
        let harness = try await Harness(.init(postQuantum: .off, requestsPerDevice: 6_000, requestsPerAddress: 2))
        let phone = try await harness.activate()
        func open(_ token: [UInt8]) async throws {
            _ = try await harness.platform.notifications(
                channel: "pull:" + Hex.encode(phone.id), token: token, from: "192.0.2.1")
        }
        for _ in 0..<10 { try await open(phone.openNotifications(with: harness)) }
        let unknown = [UInt8](repeating: 0, count: 16)
        for _ in 0..<2 { await #expect(throws: PlatformError(.invalidStreamToken)) { try await open(unknown) } }
        await #expect(throws: PlatformError(.busy)) { try await open(unknown) }
        for _ in 0..<10 { try await open(phone.openNotifications(with: harness)) }
        await #expect(throws: PlatformError(.busy)) { try await open(unknown) }
    }

    @Test func `streams take no place of the callers that wait`() async throws {
        var configuration = PlatformConfiguration(postQuantum: .off, requestsPerDevice: 6_000)
        configuration.waitingCalls = 1
        let harness = try await Harness(configuration)
        let phone = try await harness.activate()
        let stream = try await harness.platform.notifications(
            channel: "pull:" + Hex.encode(phone.id), token: phone.openNotifications(with: harness))
        let reading = Task { for try await _ in stream {} }
        await harness.time.sleepers(1)
        _ = try await harness.register("bob@master")
        async let status = harness.status("bob@master", seconds: 5)
        await harness.time.sleepers(2)
        harness.time.advance(seconds: 5)
        _ = try await status
        reading.cancel()
        _ = await reading.result
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
