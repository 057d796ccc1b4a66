extension Orchestrator {
    /// Activates a user on this device, in four round trips.
    ///
    /// The user chooses a password between the second and the third round trip. Events: `.stepCompleted` four times;
    /// `.inputRejected` for a password that is weak or confirmed differently, after which the user is asked again;
    /// `.warning`; and `.succeeded` with ``Outcome/activated(_:)``. Register notifications afterwards: the platform
    /// completes the account only then.
    ///
    /// An activation that was interrupted after the user chose a password is resumed by the same call, with the same
    /// activation password or without one (``ActivationParameters/init(resuming:domain:)``). The user is asked for the
    /// chosen password, and the platform counts wrong ones. An activation that was interrupted earlier starts again,
    /// and no try of the activation password is lost.
    ///
    /// - Parameter parameters: The user and the activation password.
    /// - Returns: The flow, which starts when it is iterated. It throws `invalidUser`, `alreadyActivated`,
    ///   `providerUnavailable`, `transport`, `invalidAnswer`, the errors of the store and the device key, and
    ///   `CancellationError`; without an activation password also `userUnknown` and `userLocked`. An activation
    ///   password that is not accepted ends the flow with `.aborted`: `activationPasswordMistyped`,
    ///   `activationPasswordNotConfirmed` or `activationPasswordTriedTooOften`.
    public nonisolated func activate(
        _ parameters: ActivationParameters
    ) -> AsyncThrowingStream<FlowEvent, any Error> {
        FlowRunner<ActivationFlow>.stream(parameters, on: self)
    }

    /// Activates a user on this device and returns what the device knows of the user afterwards.
    ///
    /// The same as ``activate(_:)`` without the other events.
    ///
    /// - Parameter parameters: The user and the activation password.
    /// - Returns: The activated user.
    /// - Throws: The errors of ``activate(_:)``, and `aborted` or `outdated` for the other ends of the flow.
    @discardableResult
    public nonisolated func activation(for parameters: ActivationParameters) async throws -> UserInformation {
        guard case .activated(let user) = try await activate(parameters).result() else {
            throw OrchestrationError(.internal)
        }
        return user
    }
}
