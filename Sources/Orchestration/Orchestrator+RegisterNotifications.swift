extension Orchestrator {
    /// Tells the platform where it reaches this device, in one round trip (requirements E1 to E5).
    ///
    /// To be called after an activation, and whenever the push service has given the app another identifier. Events:
    /// `.stepCompleted` once, `.warning`, and `.succeeded` with ``Outcome/notificationsRegistered(_:)``.
    ///
    /// - Parameter parameters: the user and the identifier; the platform's own pull channel by default (X3).
    /// - Returns: the flow; it starts when it is iterated. It throws `invalidUser`, `invalidNotificationIdentifier`,
    ///   `notActivated`, `userLocked`, `transport`, `invalidAnswer`, the errors of the store and the device key, and
    ///   `CancellationError`.
    public nonisolated func registerNotifications(
        _ parameters: NotificationRegistrationParameters
    ) -> AsyncThrowingStream<FlowEvent, any Error> {
        let environment = environment
        return FlowRunner.stream { NotificationRegistrationFlow(parameters: parameters, environment: environment) }
    }
}
