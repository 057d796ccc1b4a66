internal import Logging
internal import Primitives
internal import Wire

extension Platform {
    /// The most time for one attempt to deliver a notification.
    public static let deliveryTimeout = Duration.seconds(10)
    /// The most deliveries that run at the same time, for each gateway.
    public static let concurrentDeliveries = 32
    /// The most deliveries that wait to start, and the most that wait to be repeated, for each gateway. A further one
    /// takes the place of the one that has waited longest for the service that has the most.
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
                    await entry.queue.run(on: time, onChange: { self.note($0, of: entry.scheme) }) {
                        await self.deliver($0, by: entry.gateway)
                    }
                }
            }
            group.addTask { [self] in
                await gateways.announcements.run(on: time, onChange: { _ in }) { announcement in
                    await self.notifyDevices(of: announcement)
                    return .init(attempt: .answered)
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

    /// The time between two checks whether deliveries are held up.
    private static let heldUpInterval = Duration.milliseconds(100)
    /// The most checks. The devices may have a service or a gateway that is not in use, and takes what it gets.
    private static let heldUpChecks = 20

    private func notifyDevices(of announcement: NotificationGateways.Announcement) async {
        // While no gateway takes anything, reads of the devices would only take the time of logins.
        for _ in 0..<Self.heldUpChecks
        where gateways.areHeldUp(at: time.uptime()) && time.now() < announcement.expiresAt {
            guard (try? await time.sleep(for: Self.heldUpInterval)) != nil else { return }
        }
        guard time.now() < announcement.expiresAt else { return metrics.count(.droppedDeliveries) }
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
            // An address without a service gets no request.
            guard let service = entry.gateway.service(of: address) else {
                metrics.count(.failedDeliveries)
                continue
            }
            if entry.queue.submit(delivery, to: service) { metrics.count(.droppedDeliveries) }
        }
    }

    /// Makes one attempt, unless the request has ended.
    private func deliver(
        _ delivery: NotificationGateways.Delivery, by gateway: any NotificationGateway
    ) async -> NotificationGateways.Outcome {
        // Without a read of the store: thousands can expire while a service is down.
        guard time.now() < delivery.expiresAt else {
            metrics.count(delivery.failures + delivery.storeFailures > 0 ? .failedDeliveries : .droppedDeliveries)
            return .init(attempt: .expired)
        }
        let result: NotificationDelivery
        do {
            guard try await isDeliverable(delivery) else { return .init(attempt: .notMade) }
            let pointer = ApprovalPointer(tenant: configuration.tenant, id: delivery.request)
            result = try await attempt(
                GatewayNotification(id: delivery.request, pointer: pointer.command, expiresAt: delivery.expiresAt),
                to: delivery.address, by: gateway)
        } catch is CancellationError {
            return .init(attempt: .notMade)
        } catch {
            // The store has logged the failure. A later attempt may succeed.
            return .init(attempt: .notMade, repetition: repetitionAfterStoreFailure(of: delivery))
        }
        switch result {
        case .delivered: metrics.count(.deliveries)
        case .unregistered:
            do {
                try await dropNotificationIdentifier(of: delivery)
                metrics.count(.unregisteredDeliveries)
            } catch is CancellationError {
                return .init(attempt: .answered)
            } catch {
                // As above. A later attempt gets the same answer.
                return .init(attempt: .answered, repetition: repetitionAfterStoreFailure(of: delivery))
            }
        case .refused: metrics.count(.failedDeliveries)
        case .failed(let retryAfter):
            let attempt: NotificationGateways.Outcome.Attempt = delivery.failures == 0 ? .failed : .failedAgain
            return .init(attempt: attempt, repetition: repetition(of: delivery, after: retryAfter))
        case .deferred(let retryAfter):
            return .init(attempt: .deferred, repetition: repetition(of: delivery, after: retryAfter))
        }
        return .init(attempt: .answered)
    }

    /// Counts dropped notifications, and logs when a service stops taking them, and when all take them again.
    private func note(_ change: NotificationGateways.Change, of scheme: String) {
        if change.isDropped { metrics.count(.droppedDeliveries) }
        switch change.isDown {
        case true?:
            logger.warning(
                "a push service takes no notifications: they wait until it does or their requests end",
                metadata: ["notifications.scheme": "\(scheme)"])
        case false?:
            logger.notice(
                "the push services take notifications again", metadata: ["notifications.scheme": "\(scheme)"])
        case nil: break
        }
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

    private typealias Repetition = (item: NotificationGateways.Delivery, delay: Duration)

    /// Returns the next attempt after one that the service failed or deferred; nil as for ``later(_:failures:after:)``.
    private func repetition(of delivery: NotificationGateways.Delivery, after retryAfter: Duration?) -> Repetition? {
        var next = delivery
        next.failures += 1
        let repetition = later(next, failures: next.failures, after: retryAfter)
        if repetition != nil { metrics.count(.repeatedDeliveries) }
        return repetition
    }

    /// Returns the same attempt for a later time; nil as for ``later(_:failures:after:)``.
    private func repetitionAfterStoreFailure(of delivery: NotificationGateways.Delivery) -> Repetition? {
        var next = delivery
        next.storeFailures += 1
        return later(next, failures: next.storeFailures)
    }

    /// Returns a delivery with its delay; nil, and counts a failure, when it would be after the end of the request.
    private func later(
        _ next: NotificationGateways.Delivery, failures: Int, after retryAfter: Duration? = nil
    ) -> Repetition? {
        let delay = max(DeliveryBackoff.delay(failures: failures, random: random), retryAfter ?? .zero)
        guard delay < .milliseconds(next.expiresAt.milliseconds(since: time.now())) else {
            metrics.count(.failedDeliveries)
            return nil
        }
        return (next, delay)
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
