public import Primitives

/// The course of a test notification to a device.
public struct NotificationTest: Sendable, Hashable {
    /// A step of the course. The last step is the answer of the service, or why nothing was sent.
    public enum Step: String, Sendable, Hashable, CaseIterable {
        /// The push service has a place for the notification.
        case queued
        /// The gateway was called.
        case sent

        /// The service has taken the notification.
        case delivered
        /// The service does not know the identifier. The platform has removed it.
        case unregistered
        /// The service has refused the notification, or the gateway refuses the address.
        case refused
        /// The service did not answer in ten seconds, or it answered with a failure.
        case failed
        /// The service asks for a later attempt.
        case deferred

        /// The device is not active, or it is suspended.
        case notServed
        /// No push for the user for some time, because the user has rejected a request as not their own.
        case muted
        /// The device has no identifier.
        case noIdentifier
        /// The device has registered its stream only.
        case streamOnly
        /// The platform has no gateway for the scheme of the identifier.
        case noGateway
        /// Too many notifications to the service are under way.
        case queueFull
        /// The service is down: it gets no attempt for some seconds.
        case serviceDown
    }

    /// A step with its time.
    public struct Hop: Sendable, Hashable {
        /// The step.
        public let step: Step
        /// The time, by the clock of the platform.
        public let time: Timestamp
    }

    /// The id of the device, 16 bytes.
    public let device: [UInt8]
    /// The name of the device.
    public let name: String
    /// The scheme of the identifier, such as `apns`; `nil` for a device without an identifier or with an identifier
    /// without a scheme.
    public let scheme: String?
    /// The steps, in their order.
    public let hops: [Hop]
}

extension Platform {
    /// The time until the expiry of a test notification.
    private static let testLifetime: Int64 = 60_000

    /// Sends a test notification to the devices of an account, through the gateways of their identifiers.
    ///
    /// The notification contains a pointer that leads to no request: a device that executes it gets `approvalUnknown`.
    /// It is sent once, in a place of the service like every notification, and its result counts toward the service's
    /// outage. An identifier that its service does not know is removed, as after every notification. A user whose
    /// pushes are muted gets none.
    ///
    /// - Parameters:
    ///   - account: The account.
    ///   - id: The id of a device of the account, 16 bytes; `nil` for all devices that are not revoked.
    /// - Returns: The course for each device, the oldest device first. It is complete when this method returns: at most
    ///   ten seconds after a place of the service was free. A caller that is canceled waits for it.
    /// - Throws: ``PlatformError`` with `unknownUser`, `unknownDevice`, `storeFailed`.
    public func testNotifications(to account: AccountName, device id: [UInt8]? = nil) async throws
        -> [NotificationTest]
    {
        let (name, now) = (account.text, time.now())
        let rows = try await read { store in
            guard try store.account(name) != nil else { throw PlatformError(.unknownUser) }
            let (state, devices) = (try store.currentState(), try store.devices(of: name))
            let isMuted = try RiskState(of: name, in: store).mutedUntil.map { now < $0 } ?? false
            let tested = devices.filter { id == nil ? $0.state != .revoked : $0.id == id }
            return tested.map { device -> (DeviceRecord, NotificationTest.Step?) in
                guard device.isLoginDevice, !device.isSuspended(by: state) else { return (device, .notServed) }
                return (device, isMuted ? .muted : nil)
            }
        }
        guard id == nil || !rows.isEmpty else { throw PlatformError(.unknownDevice) }
        // A separate task, because a task that is canceled while it waits for a place of a service loses the place.
        return await Task { [self] in
            await withTaskGroup(of: (Int, NotificationTest).self) { group in
                for (position, (device, obstacle)) in rows.enumerated() {
                    group.addTask { [self] in (position, await test(device, obstacle)) }
                }
                return await group.reduce(into: []) { $0.append($1) }.sorted { $0.0 < $1.0 }.map(\.1)
            }
        }.value
    }

    private func test(_ device: DeviceRecord, _ obstacle: NotificationTest.Step?) async -> NotificationTest {
        let identifier = device.notificationIdentifier ?? ""
        let scheme = identifier.firstIndex(of: ":").map { String(identifier[..<$0]) }
        var hops: [NotificationTest.Hop] = []
        func note(_ step: NotificationTest.Step) { hops.append(.init(step: step, time: time.now())) }
        if let obstacle {
            note(obstacle)
        } else if identifier.isEmpty {
            note(.noIdentifier)
        } else if scheme == "pull" {
            note(.streamOnly)
        } else if let (gateway, address) = gateways.find(identifier) {
            if let service = gateway.service(of: address) {
                let notification = NotificationGateways.Notification(
                    request: random.bytes(16), expiresAt: time.now().advanced(milliseconds: Self.testLifetime),
                    device: device.id, identifier: identifier, address: address, gateway: gateway,
                    service: gateways.service(service, of: identifier.prefix { $0 != ":" }, at: time.uptime()))
                await send(notification, noting: note)
            } else {
                note(.refused)
            }
        } else {
            note(.noGateway)
        }
        return NotificationTest(device: device.id, name: device.name, scheme: scheme, hops: hops)
    }

    /// Sends a test notification in a place of its service.
    private func send(
        _ notification: NotificationGateways.Notification, noting note: (NotificationTest.Step) -> Void
    ) async {
        let service = notification.service
        guard service.add() else { return note(.queueFull) }
        defer { service.remove() }
        note(.queued)
        // The only error of these calls is cancellation, and the task is never canceled.
        guard (try? await service.enter()) != nil else { return note(.failed) }
        defer { service.leave() }
        guard service.takesAttempt(at: time.uptime()) else { return note(.serviceDown) }
        note(.sent)
        switch (try? await send(notification)) ?? .failed(retryAfter: nil) {
        case .delivered: note(.delivered)
        case .refused: note(.refused)
        case .failed: note(.failed)
        case .deferred: note(.deferred)
        case .unregistered:
            try? await dropIdentifier(of: notification)
            note(.unregistered)
        }
    }
}
