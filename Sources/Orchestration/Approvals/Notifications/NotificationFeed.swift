internal import Logging
internal import OrchestrationProtocol
internal import Primitives

/// The pointers of one user: from a stream that is opened again whenever it breaks, or from polling.
///
/// The feed has no separate task. It works while its consumer waits for the next pointer.
actor NotificationFeed {
    private enum State {
        case idle(Source)
        case busy
        case ended
    }

    private enum Source {
        /// Without a stream, after a number of failures in a row.
        case closed(failures: Int)
        /// With a stream. It counts as a failure until a first signal has come.
        case open(any NotificationConnection, failures: Int)
    }

    private let user: UserName
    private let orchestrator: Orchestrator
    private let transport: (any NotificationTransport)?
    private let pollingInterval: Duration

    private var state = State.idle(.closed(failures: 0))
    private var isFirstPoll = true
    private var pointers: [OrchestrationCommand] = []
    private var known = KnownApprovals()
    private var lastEventID: String?

    private var environment: FlowEnvironment { orchestrator.environment }

    init(
        user: UserName, orchestrator: Orchestrator, transport: (any NotificationTransport)?, pollingInterval: Duration
    ) {
        self.user = user
        self.orchestrator = orchestrator
        self.transport = transport
        self.pollingInterval = pollingInterval
    }

    /// Returns the next pointer; `nil` after an error.
    func next() async throws -> OrchestrationCommand? {
        var source: Source
        switch state {
        case .idle(let idle):
            source = idle
            state = .busy
        case .busy: throw OrchestrationError(.consumedTwice)
        case .ended: return nil
        }
        do {
            let account = try environment.account(user)
            while pointers.isEmpty {
                try Task.checkCancellation()
                source = try await advance(source, account)
            }
            state = .idle(source)
            return pointers.removeFirst()
        } catch {
            state = .ended
            throw OrchestrationError.leavingTheSDK(error)
        }
    }

    private func advance(_ source: Source, _ account: AccountName) async throws -> Source {
        switch source {
        case .open(let connection, let failures): return try await receive(from: connection, failures)
        case .closed(let failures):
            if failures > 0 {
                try await environment.time.sleep(
                    for: NotificationPace.pause(afterFailures: failures, random: environment.random))
            }
            do {
                guard let transport else { return try await poll(account, isRetry: failures > 0) }
                return try await connect(transport, account, failures)
            } catch let error as OrchestrationError where error.isTemporary {
                environment.logger.debug("notifications interrupted", metadata: ["error.code": "\(error.code)"])
                return .closed(failures: failures + 1)
            }
        }
    }

    /// Waits for a signal, at most as long as a stream may be silent.
    private func receive(from connection: any NotificationConnection, _ failures: Int) async throws -> Source {
        let time = environment.time
        let signal: NotificationStream.Signal?
        do {
            signal = try await withThrowingTaskGroup(of: NotificationStream.Signal?.self) { group in
                group.addTask { try await connection.next() }
                group.addTask {
                    try await time.sleep(for: NotificationPace.longestSilence)
                    return nil
                }
                defer { group.cancelAll() }
                return try await group.next() ?? nil
            }
        } catch {
            // The cause of a broken stream does not matter, because the next stream may work.
            try Task.checkCancellation()
            return .closed(failures: failures + 1)
        }
        switch signal {
        case nil: return .closed(failures: failures + 1)
        case .heartbeat: break
        case .pointer(let command, let eventID):
            if let eventID { lastEventID = eventID }
            take(command)
        }
        return .open(connection, failures: 0)
    }

    /// Opens a stream with a new token. The platform sends the pending requests on it first, and then new requests.
    private func connect(
        _ transport: any NotificationTransport, _ account: AccountName, _ failures: Int
    ) async throws -> Source {
        let reply = try await ChannelSession(account: account, orchestrator: orchestrator).exchange { record in
            try record.requireActive()
            return .notificationsOpen
        }
        let (answer, _) = try reply.answer(to: NotificationsOpenMessage.self)
        let stream = NotificationStream(
            channel: reply.record.notificationChannel, token: Base64URL.encode(answer.token), lastEventID: lastEventID)
        let connection: any NotificationConnection
        do {
            connection = try await transport.open(stream)
        } catch {
            try Task.checkCancellation()
            throw OrchestrationError(.transport, underlying: error)
        }
        return .open(connection, failures: failures)
    }

    /// Lists the pending requests, after the interval. Requests that the platform does not announce are skipped; the
    /// app gets them from ``UserHandle/pendingApprovals()``.
    private func poll(_ account: AccountName, isRetry: Bool) async throws -> Source {
        if !isFirstPoll, !isRetry {
            let pause = NotificationPace.jittered(pollingInterval.wholeMilliseconds, random: environment.random)
            try await environment.time.sleep(for: pause)
        }
        isFirstPoll = false
        for approval in try await orchestrator.pendingApprovals(of: account) where approval.isAnnounced {
            take(approval.pointer)
        }
        return .closed(failures: 0)
    }

    /// Keeps a pointer of this tenant that has not arrived before. Anything else is dropped, because a stream is not
    /// trusted.
    private func take(_ command: OrchestrationCommand) {
        guard case .approvalPointer(let pointer) = try? Envelope(decoding: command),
            pointer.names(tenant: environment.configuration.tenant), known.insert(pointer.id)
        else { return }
        pointers.append(command)
    }
}

/// The ids of the latest approval requests.
private struct KnownApprovals {
    /// More approval requests than can wait for one user during the lifetime of a request.
    private static let maximumCount = 256

    private var order: [[UInt8]] = []
    private var ids: Set<[UInt8]> = []

    /// Returns whether the id is new.
    mutating func insert(_ id: [UInt8]) -> Bool {
        guard ids.insert(id).inserted else { return false }
        order.append(id)
        if order.count > Self.maximumCount { ids.remove(order.removeFirst()) }
        return true
    }
}

extension UserRecord {
    /// The name of the stream of this device.
    fileprivate var notificationChannel: String {
        notificationIdentifier ?? NotificationIdentifier.pullChannel.text(deviceID: deviceID)
    }
}

extension OrchestrationError {
    /// Whether a later attempt may succeed without a change by the app or the user.
    var isTemporary: Bool {
        [.transport, .invalidAnswer, .storeBusy, .rateLimited].contains(code)
    }
}
