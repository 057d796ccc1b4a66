extension Orchestrator {
    /// Registers the address for notifications of this device at the platform, in one round trip.
    ///
    /// Call this method whenever the push service has issued an identifier to the app. The activation has registered the
    /// pull channel.
    /// Events: `.stepCompleted` once, `.warning`, and `.succeeded` with ``Outcome/notificationsRegistered(_:)``.
    ///
    /// - Parameters:
    ///   - user: The user id, or `user@domain`.
    ///   - domain: The domain; `nil` for the one in `user`, or the default one.
    ///   - identifier: The address for notifications of this device; the pull channel of the platform by default.
    /// - Returns: The flow, which starts when it is iterated. It throws `invalidUser`, `invalidArgument`,
    ///   `notActivated`, `userLocked`, `transport`, `invalidAnswer`, the errors of the store and the device key, and
    ///   `CancellationError`.
    public nonisolated func registerNotifications(
        for user: String, domain: String? = nil, identifier: NotificationIdentifier = .pullChannel
    ) -> AsyncThrowingStream<FlowEvent, any Error> {
        FlowRunner<NotificationRegistrationFlow>.stream(
            .init(user: UserName(user, domain: domain), identifier: identifier), on: self)
    }
}

extension UserHandle {
    /// Registers the address for notifications of this device at the platform.
    ///
    /// The same as ``Orchestrator/registerNotifications(for:domain:identifier:)`` without the other events.
    ///
    /// - Parameter identifier: The address for notifications of this device; the pull channel by default.
    /// - Returns: The user, with the identifier that is registered.
    /// - Throws: The errors of the flow, including the error of its other end.
    @discardableResult
    public func registerNotifications(
        identifier: NotificationIdentifier = .pullChannel
    ) async throws -> UserInformation {
        let flow = FlowRunner<NotificationRegistrationFlow>.stream(
            .init(user: name, identifier: identifier), on: orchestrator)
        guard case .notificationsRegistered(let user) = try await flow.result() else {
            throw OrchestrationError(.internal)
        }
        return user
    }
}
