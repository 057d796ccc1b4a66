extension Orchestrator {
    /// Activates a user on this device, in four round trips (requirements D1 to D11, X14).
    ///
    /// The user is asked for a new password, and for its confirmation, between the second answer and the third request.
    /// Events: `.stepCompleted` four times, `.inputRejected` for a weak password or a confirmation that differs (the
    /// user is asked again), `.warning`, and `.succeeded` with ``Outcome/activated(_:)``. Register notifications
    /// afterwards: the platform finishes the account only then.
    ///
    /// An activation that was interrupted after the password was chosen is resumed by the same call with the same
    /// code: the user is asked for that password, and a wrong one counts at the platform. Interrupted earlier, it
    /// starts anew, and no try of the code is lost.
    ///
    /// - Parameter parameters: the user and the activation password.
    /// - Returns: the flow; it starts when it is iterated. It throws `invalidUser`, `alreadyActivated`,
    ///   `providerUnavailable`, `transport`, `invalidAnswer`, the errors of the store and the device key, and
    ///   `CancellationError`. A code that is not taken ends it with ``AbortCause/activationPassword(_:)``.
    public nonisolated func activate(
        _ parameters: ActivationParameters
    ) -> AsyncThrowingStream<FlowEvent, any Error> {
        let environment = environment
        return FlowRunner.stream { ActivationFlow(parameters: parameters, environment: environment) }
    }
}
