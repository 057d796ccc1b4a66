internal import Logging
public import OrchestrationProtocol
internal import Primitives

/// An event of a stream of notifications.
public enum NotificationEvent: Sendable, Hashable {
    /// An approval request is pending: its id, 16 bytes, and its pointer. The device fetches the request through the
    /// channel.
    case approval(id: [UInt8], pointer: OrchestrationCommand)
    /// There was no other event for ``Platform/heartbeatInterval``. The stream is still open.
    case heartbeat
}

extension Platform {
    /// The time after which a stream without other events sends a heartbeat.
    public static let heartbeatInterval = Duration.seconds(15)
    /// The longest time for which a stream is open. The device opens another one.
    ///
    /// A stream ends up to ten minutes earlier, at random. Streams that were opened together, for example after a
    /// restart, therefore do not end together.
    public static let longestStream = Duration.seconds(3_600)
    /// The part of ``longestStream`` by which a stream can be shorter, in milliseconds.
    static let streamJitter: Int64 = 600_000

    /// Opens the stream of notifications of a device.
    ///
    /// The stream begins with the approval requests that are pending already. It contains announced requests only: the
    /// app lists the others when the user opens it. The stream ends after ``longestStream`` or up to ten minutes
    /// earlier, when the device is no longer active, and when the device opens another stream.
    ///
    /// - Parameters:
    ///   - channel: The notification identifier that the device has registered, or the identifier of its pull channel,
    ///     `pull:` and the device id in hexadecimal digits. After the platform has removed an identifier that its push
    ///     service no longer knew, the device may also name the removed one: it learns of the removal from its push
    ///     service.
    ///   - token: The token that the device got by a signed command, 16 bytes. It opens one stream, within 60 seconds.
    ///   - lastID: The id of the last approval request that the device got on a previous stream; `nil` for none. Only
    ///     later ones are sent.
    ///   - address: The address of the caller, for the limit of requests that prove no device; `nil` for no limit. A
    ///     token proves its device.
    /// - Returns: The events, pulled by the consumer: canceling its task ends the stream.
    /// - Throws: ``PlatformError`` with `invalidStreamToken` for a token that is unknown, used, expired or of another
    ///   channel, and for a device that is not active; `busy` when as many streams are open as may be
    ///   (``PlatformConfiguration/openStreams``, ``PlatformConfiguration/openStreamsPerAddress``), and when the address
    ///   is over its limit and the token is unknown, both of which leave the token as it was; `storeFailed`.
    public func notifications(
        channel: String, token: [UInt8], after lastID: [UInt8]? = nil, from address: String? = nil
    ) async throws -> AsyncThrowingStream<NotificationEvent, any Error> {
        let now = time.now()
        let token = StreamToken(bytes: token)
        var charge = limiter.charge(unprovenRequestFrom: address, now: now)
        if charge.payer == .unpaid {
            // A flood from a shared address must not shut out the devices behind it.
            guard let row = try await read({ try $0.streamToken(token.hash) }) else { throw PlatformError(.busy) }
            try limiter.charge(&charge, asRequestOf: row.device, now: now)
        }
        let place = try streams.reserve(from: address)
        let device = try await write { store in
            // A token is used up even when the stream is refused. The removal decides, because a token opens only one
            // stream.
            guard let row = try store.streamToken(token.hash), try store.removeStreamToken(token.hash),
                now < row.expiresAt, let device = try ifUnaltered({ try store.device(row.device) })
            else { return DeviceRecord?.none }
            return device
        }
        let isServed = if let device { try await self.isServed(device.id) } else { false }
        guard let device, device.hasChannel(channel), isServed else { throw PlatformError(.invalidStreamToken) }
        limiter.refund(charge)
        let last = try await read { store in try lastID.flatMap { id in try ifUnaltered { try store.approval(id) } } }
        let course = NotificationCourse(
            platform: self, device: device.id, account: device.account,
            since: last?.account == device.account ? last : nil, stream: place.open(device.id))
        // An older stream of the device ends now instead of at its next heartbeat.
        watch.changed(.account(device.account))
        return AsyncThrowingStream { try await course.next() }
    }

    /// Returns the time for which a stream is open.
    static func streamLength(random: any RandomSource) -> Duration {
        let draw = random.bytes(4).reduce(Int64(0)) { $0 << 8 | Int64($1) }
        return longestStream - .milliseconds(draw % (streamJitter + 1))
    }

    /// The number of open streams of notifications.
    package var openStreamCount: Int { streams.count }

    /// Returns whether a device gets notifications: it is active and not suspended.
    fileprivate func isServed(_ id: [UInt8]) async throws -> Bool {
        try await read { store in
            guard let device = try ifUnaltered({ try store.device(id) }) else { return false }
            let state = try store.currentState()
            return device.isLoginDevice && !device.isSuspended(by: state)
        }
    }
}

extension DeviceRecord {
    /// Returns whether a text names the stream of the device.
    ///
    /// The token alone proves the device. The name finds mistakes of an app that has several devices. It is not
    /// compared for a device whose push identifier was removed, because no row keeps the removed one.
    fileprivate func hasChannel(_ name: String) -> Bool {
        guard let notificationIdentifier else { return name == pullChannel || !name.hasPrefix("pull:") }
        return name == notificationIdentifier || name == pullChannel
    }

    private var pullChannel: String { "pull:" + Hex.encode(id) }
}

/// The state of one stream. It keeps no rows, because thousands of streams are open for an hour.
private actor NotificationCourse {
    private let platform: Platform
    private let device: [UInt8]
    private let account: String
    private let stream: OpenStream
    /// The time at which the stream ends, by the clock that is never set.
    private let end: Duration
    /// The last request that the device got on a previous stream.
    private let last: (id: [UInt8], createdAt: Timestamp)?
    /// The ids of the requests that were sent and still wait.
    private var sent: Set<[UInt8]> = []
    /// The ids of the requests that are to be sent.
    private var queue: [[UInt8]] = []

    init(platform: Platform, device: [UInt8], account: String, since last: ApprovalRecord?, stream: OpenStream) {
        self.platform = platform
        self.device = device
        self.account = account
        self.last = last.map { ($0.id, $0.createdAt) }
        self.stream = stream
        end = platform.time.uptime() + Platform.streamLength(random: platform.random)
    }

    /// Returns the next event; `nil` at the end.
    func next() async throws -> NotificationEvent? {
        if let event = takeQueued() { return event }
        let (platform, device, stream, end) = (platform, device, stream, end)
        let beat = platform.time.uptime() + Platform.heartbeatInterval
        return try await platform.watch.waiting(for: .account(account), isStream: true) { changes in
            while true {
                try Task.checkCancellation()
                let now = platform.time.uptime()
                guard stream.isLatest, now < end, try await platform.isServed(device) else { return nil }
                queue = try await waiting()
                if let event = takeQueued() { return event }
                guard now < beat else { return .heartbeat }
                try await changes.next(within: min(beat, end) - now, on: platform.time)
            }
        }
    }

    /// Returns the ids of the requests that wait and were not sent.
    private func waiting() async throws -> [[UInt8]] {
        let (account, now) = (account, platform.time.now())
        let pending = try await platform.read { try $0.waitingApprovals(of: account, now: now) }
        sent.formIntersection(pending.map(\.id))
        return pending.filter { record in
            guard record.isAnnounced, !sent.contains(record.id) else { return false }
            // Of several requests of one millisecond, only the one with the id of the last event is certain to have
            // arrived.
            return last.map { $0.createdAt <= record.createdAt && $0.id != record.id } ?? true
        }.map(\.id)
    }

    private func takeQueued() -> NotificationEvent? {
        guard !queue.isEmpty else { return nil }
        let id = queue.removeFirst()
        sent.insert(id)
        return .approval(id: id, pointer: ApprovalPointer(tenant: platform.configuration.tenant, id: id).command)
    }
}
