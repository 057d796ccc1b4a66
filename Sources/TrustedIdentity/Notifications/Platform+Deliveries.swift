internal import Logging
internal import Primitives
internal import Wire

extension Platform {
    /// The most time for one attempt to deliver a notification.
    public static let deliveryTimeout = Duration.seconds(10)
    /// The most deliveries that run at the same time, for each gateway.
    public static let concurrentDeliveries = 32
    /// The most deliveries that wait to start, and the most that wait to be repeated, for each gateway. A further one
    /// takes the place of the one that has waited longest.
    public static let waitingDeliveries = 10_000

    /// Delivers notifications through the gateways until the task is canceled.
    ///
    /// Run it in one task, beside the servers of the platform. Approval requests that were made before it runs wait for
    /// it. It returns at once when the task is canceled: what was not delivered is lost, and the devices get it from
    /// their streams and lists. A platform without gateways has nothing to deliver, and waits.
    public func deliverNotifications() async {
        await withDiscardingTaskGroup { group in
            for entry in gateways.entries.values {
                group.addTask { [self] in
                    await entry.queue.run(on: time, onDrop: { [metrics] in metrics.count(.droppedDeliveries) }) {
                        await self.deliver($0, by: entry.gateway)
                    }
                }
            }
            group.addTask { [self] in
                await gateways.announcements.run(on: time, onDrop: {}) { announcement in
                    await self.notifyDevices(of: announcement)
                    return nil
                }
            }
        }
    }

    /// Starts the delivery of an approval request to the devices of its account, and returns at once.
    func announce(_ record: ApprovalRecord) {
        guard record.isAnnounced, !gateways.isEmpty else { return }
        let announcement = NotificationGateways.Announcement(
            request: record.id, account: record.account, expiresAt: record.expiresAt)
        if gateways.announcements.submit(announcement) { metrics.count(.droppedDeliveries) }
    }

    private func notifyDevices(of announcement: NotificationGateways.Announcement) async {
        let devices: [(id: [UInt8], identifier: String)]
        do {
            devices = try await read { store in
                let state = try store.presentState()
                return try store.devices(of: announcement.account).compactMap { device in
                    guard device.isLoginDevice, !device.isSuspended(by: state) else { return nil }
                    return device.notificationIdentifier.map { (device.id, $0) }
                }
            }
        } catch {
            // The request is stored. The failure costs the notification only.
            return metrics.count(.failedDeliveries)
        }
        for device in devices {
            guard let (entry, address) = gateways.find(device.identifier) else { continue }
            let delivery = NotificationGateways.Delivery(
                request: announcement.request, expiresAt: announcement.expiresAt, device: device.id,
                identifier: device.identifier, address: address)
            if entry.queue.submit(delivery) { metrics.count(.droppedDeliveries) }
        }
    }

    /// Makes one attempt, unless the request has ended.
    private func deliver(
        _ delivery: NotificationGateways.Delivery, by gateway: any NotificationGateway
    ) async -> DeliveryQueue<NotificationGateways.Delivery>.Repetition? {
        let result: NotificationDelivery
        do {
            guard try await isDeliverable(delivery) else { return nil }
            let pointer = ApprovalPointer(tenant: configuration.tenant, id: delivery.request)
            result = try await attempt(
                GatewayNotification(id: delivery.request, pointer: pointer.command, expiresAt: delivery.expiresAt),
                to: delivery.address, by: gateway)
            if result == .unregistered { try await dropNotificationIdentifier(of: delivery) }
        } catch is CancellationError {
            return nil
        } catch {
            // The store failed. It has logged the failure, and a later attempt may succeed.
            return repetition(of: delivery, after: nil)
        }
        switch result {
        case .delivered: metrics.count(.deliveries)
        case .unregistered: metrics.count(.unregisteredDeliveries)
        case .refused: metrics.count(.failedDeliveries)
        case .failed(let retryAfter): return repetition(of: delivery, after: retryAfter)
        }
        return nil
    }

    /// Returns whether the request still waits, is announced, and the device still has the identifier.
    private func isDeliverable(_ delivery: NotificationGateways.Delivery) async throws -> Bool {
        let now = time.now()
        return try await read { store in
            guard let record = try ifUnaltered({ try store.approval(delivery.request) }), record.isAnnounced,
                record.state(at: now) == .pending, let device = try ifUnaltered({ try store.device(delivery.device) })
            else { return false }
            return try device.isLoginDevice && !device.isSuspended(by: store.presentState())
                && device.notificationIdentifier == delivery.identifier
        }
    }

    /// Makes one attempt within its time.
    ///
    /// - Throws: `CancellationError` when the task was canceled.
    private func attempt(
        _ notification: GatewayNotification, to address: String, by gateway: any NotificationGateway
    ) async throws -> NotificationDelivery {
        try await time.result(within: Self.deliveryTimeout, or: .failed(retryAfter: nil)) {
            (try? await gateway.deliver(notification, to: address)) ?? .failed(retryAfter: nil)
        }
    }

    /// Returns the next attempt; nil, and counts a failure, when it would be after the end of the request.
    private func repetition(
        of delivery: NotificationGateways.Delivery, after retryAfter: Duration?
    ) -> DeliveryQueue<NotificationGateways.Delivery>.Repetition? {
        var next = delivery
        next.failures += 1
        let delay = max(DeliveryBackoff.delay(failures: next.failures, random: random), retryAfter ?? .zero)
        guard delay < .milliseconds(delivery.expiresAt.milliseconds(since: time.now())) else {
            metrics.count(.failedDeliveries)
            return nil
        }
        metrics.count(.repeatedDeliveries)
        return .init(item: next, delay: delay)
    }

    /// Removes an identifier that its service does not know any more, unless the device has registered another one.
    private func dropNotificationIdentifier(of delivery: NotificationGateways.Delivery) async throws {
        let now = time.now()
        let scheme = delivery.identifier.prefix { $0 != ":" }
        try await writeAsPlatform { store in
            guard var device = try ifUnaltered({ try store.device(delivery.device) }),
                device.notificationIdentifier == delivery.identifier
            else { return }
            device.notificationIdentifier = nil
            try requireWritten(store.update(device))
            try store.append(
                AuditEntry(
                    time: now, event: .notificationsUnregistered, account: device.account, device: device.id,
                    reason: String(scheme)))
        }
    }
}

/// The times between the attempts to deliver a notification.
enum DeliveryBackoff {
    private static let first: Int64 = 2_000
    private static let greatest: Int64 = 60_000

    /// Returns the time after a failure: 2 s, doubled for each further one up to 60 s, of which the latter half is
    /// random. Deliveries that fail together are not repeated together.
    static func delay(failures: Int, random: any RandomSource) -> Duration {
        let full = min(greatest, first << Int64(min(max(failures, 1) - 1, 5)))
        let word = random.bytes(4).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        return .milliseconds(full / 2 + Int64((word * UInt64(full / 2)) >> 32))
    }
}
