internal import Logging
internal import OrchestrationProtocol
internal import Primitives

extension Platform {
    /// The maximum time of one attempt to deliver a notification or an event.
    public static let deliveryTimeout = Duration.seconds(10)
    /// The maximum number of attempts that run at the same time, for each push service.
    public static let concurrentDeliveries = 16
    /// The maximum number of notifications that are under way, for each push service. Further ones are dropped.
    public static let waitingDeliveries = 10_000
    /// The maximum number of times that a notification is repeated.
    public static let repeatedDeliveries = 2

    /// Delivers notifications through the gateways until the task is canceled.
    ///
    /// Run it once, in one task, next to the servers of the platform. Approval requests that were made before it runs
    /// wait for it. It returns at once when the task is canceled. Undelivered notifications are lost, and the devices
    /// get the requests from their streams and lists. A platform without gateways has nothing to deliver, and waits.
    public func deliverNotifications() async {
        guard let announcements = gateways.takeAnnouncements() else { return await Task.untilCanceled() }
        await withDiscardingTaskGroup { group in
            for await announcement in announcements {
                for notification in await notifications(of: announcement) {
                    guard notification.service.add() else {
                        metrics.count(.droppedDeliveries)
                        continue
                    }
                    group.addTask { [self] in
                        // The only error is the cancellation of the task.
                        try? await deliver(notification)
                        notification.service.remove()
                    }
                }
            }
        }
    }

    /// Starts the delivery of an approval request to the devices of its account, and returns at once.
    func announce(_ record: ApprovalRecord) {
        guard record.isAnnounced, !gateways.isEmpty else { return }
        let announcement = NotificationGateways.Announcement(
            request: record.id, account: record.account, expiresAt: record.expiresAt)
        if !gateways.add(announcement) { metrics.count(.droppedDeliveries) }
    }

    /// Returns the notifications of a request, for each device with the identifier of a gateway.
    private func notifications(
        of announcement: NotificationGateways.Announcement
    ) async -> [NotificationGateways.Notification] {
        let devices: [(id: [UInt8], identifier: String)]
        do {
            devices = try await read { store in
                let state = try store.currentState()
                return try store.devices(of: announcement.account).compactMap { device in
                    guard device.isLoginDevice, !device.isSuspended(by: state) else { return nil }
                    return device.notificationIdentifier.map { (device.id, $0) }
                }
            }
        } catch {
            // The request is stored. The failure costs the notification only.
            metrics.count(.failedDeliveries)
            return []
        }
        return devices.compactMap { device in
            guard let (gateway, address) = gateways.find(device.identifier) else { return nil }
            // An address without a service gets no request.
            guard let name = gateway.service(of: address) else {
                metrics.count(.failedDeliveries)
                return nil
            }
            return NotificationGateways.Notification(
                request: announcement.request, expiresAt: announcement.expiresAt, device: device.id,
                identifier: device.identifier, address: address, gateway: gateway,
                service: gateways.service(
                    name, of: device.identifier.prefix { $0 != ":" }, at: time.uptime()))
        }
    }

    /// Makes up to three attempts to deliver a notification, within the life of its request.
    ///
    /// - Throws: `CancellationError` when the task was canceled.
    private func deliver(_ notification: NotificationGateways.Notification) async throws {
        for repetition in 0...Self.repeatedDeliveries {
            let earliest: Duration
            switch try await attempt(notification) {
            case nil: return metrics.count(.droppedDeliveries)
            case .delivered: return metrics.count(.deliveries)
            case .refused: return metrics.count(.failedDeliveries)
            case .unregistered: return try await dropIdentifier(of: notification)
            case .failed(let retryAfter), .deferred(let retryAfter): earliest = retryAfter ?? .zero
            }
            // 2–4 s, and 16–32 s after the second failure: longer than the pause of a service that is down.
            let delay = max(DeliveryBackoff.delay(failures: 3 * repetition + 2, random: random), earliest)
            guard repetition < Self.repeatedDeliveries,
                delay < .milliseconds(notification.expiresAt.milliseconds(since: time.now()))
            else { break }
            metrics.count(.repeatedDeliveries)
            try await time.sleep(for: delay)
        }
        metrics.count(.failedDeliveries)
    }

    /// Makes one attempt. For a service that is down, it fails without a read and without a request.
    ///
    /// - Returns: The result; nil when the request has ended or the device has another identifier.
    /// - Throws: `CancellationError` when the task was canceled.
    private func attempt(
        _ notification: NotificationGateways.Notification
    ) async throws -> NotificationDelivery? {
        let service = notification.service
        try await service.enter()
        defer { service.leave() }
        guard time.now() < notification.expiresAt else { return nil }
        guard service.takesAttempt(at: time.uptime()) else { return .failed(retryAfter: nil) }
        do {
            guard try await isDeliverable(notification) else { return nil }
        } catch is PlatformError {
            // The store has logged its failure. The failure does not concern the service.
            return .failed(retryAfter: nil)
        }
        return try await send(notification)
    }

    /// Sends a notification in the place that its service gave, and notes the result for the service.
    ///
    /// - Throws: `CancellationError` when the task was canceled.
    func send(_ notification: NotificationGateways.Notification) async throws -> NotificationDelivery {
        let content = GatewayNotification(
            id: notification.request,
            pointer: ApprovalPointer(tenant: configuration.tenant, id: notification.request).command,
            expiresAt: notification.expiresAt)
        let result = try await time.result(within: Self.deliveryTimeout, or: .failed(retryAfter: nil)) {
            (try? await notification.gateway.deliver(content, to: notification.address)) ?? .failed(retryAfter: nil)
        }
        let metadata: Logger.Metadata = ["notifications.scheme": "\(notification.scheme)"]
        switch notification.service.note(result, at: time.uptime()) {
        case true?:
            logger.warning(
                "a push service takes no notifications: its devices get requests from streams and lists",
                metadata: metadata)
        case false?: logger.notice("a push service takes notifications again", metadata: metadata)
        case nil: break
        }
        return result
    }

    /// Returns whether the request still waits, is announced, and the device still has the identifier.
    private func isDeliverable(_ notification: NotificationGateways.Notification) async throws -> Bool {
        let now = time.now()
        return try await read { store in
            guard let record = try ifUnaltered({ try store.approval(notification.request) }), record.isAnnounced,
                record.state(at: now) == .pending,
                let device = try ifUnaltered({ try store.device(notification.device) })
            else { return false }
            return try device.isLoginDevice && !device.isSuspended(by: store.currentState())
                && device.notificationIdentifier == notification.identifier
        }
    }

    /// Removes an identifier that its service does not know, unless the device has registered another one.
    ///
    /// When the store fails, the identifier stays, and the next notification has the same result.
    ///
    /// - Throws: `CancellationError` when the task was canceled.
    func dropIdentifier(of notification: NotificationGateways.Notification) async throws {
        let now = time.now()
        do {
            try await writeAsPlatform { store in
                guard var device = try ifUnaltered({ try store.device(notification.device) }),
                    device.notificationIdentifier == notification.identifier
                else { return }
                device.notificationIdentifier = nil
                try requireWritten(store.update(device))
                try store.append(
                    AuditEntry(
                        time: now, event: .notificationsUnregistered, account: device.account, device: device.id,
                        reason: String(notification.scheme)))
            }
            metrics.count(.unregisteredDeliveries)
        } catch is PlatformError {
            metrics.count(.failedDeliveries)
        }
    }
}

extension Task where Success == Never, Failure == Never {
    /// Waits until the task is canceled.
    static func untilCanceled() async {
        let (endless, continuation) = AsyncStream.makeStream(of: Void.self)
        for await _ in endless {}
        continuation.finish()
    }
}
