extension Orchestrator {
    /// Registers the address for notifications of this device at the platform, in one round trip.
    ///
    /// Call this method after an activation, and whenever the push service has issued another identifier to the app.
    /// Events: `.stepCompleted` once, `.warning`, and `.succeeded` with ``Outcome/notificationsRegistered(_:)``.
    ///
    /// - Parameter parameters: The user and the identifier; the pull channel of the platform by default.
    /// - Returns: The flow, which starts when it is iterated. It throws `invalidUser`, `invalidArgument`,
    ///   `notActivated`, `userLocked`, `transport`, `invalidAnswer`, the errors of the store and the device key, and
    ///   `CancellationError`.
    public nonisolated func registerNotifications(
        _ parameters: NotificationRegistrationParameters
    ) -> AsyncThrowingStream<FlowEvent, any Error> {
        FlowRunner<NotificationRegistrationFlow>.stream(parameters, on: self)
    }

    /// Registers the address for notifications of this device and returns what the device knows of the user afterwards.
    ///
    /// The same as ``registerNotifications(_:)`` without the other events.
    ///
    /// - Parameter parameters: The user and the identifier.
    /// - Returns: The user, with the identifier that is registered.
    /// - Throws: The errors of ``registerNotifications(_:)``, and `aborted` for the other end of the flow.
    @discardableResult
    public nonisolated func notificationRegistration(
        for parameters: NotificationRegistrationParameters
    ) async throws -> UserInformation {
        guard case .notificationsRegistered(let user) = try await registerNotifications(parameters).result() else {
            throw OrchestrationError(.internal)
        }
        return user
    }
}
