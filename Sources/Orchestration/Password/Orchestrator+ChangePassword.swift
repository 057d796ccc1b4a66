extension Orchestrator {
    /// Changes the password of a user on this device.
    ///
    /// The flow asks the provider for the present password, and proves it to the platform. Then it asks for the new
    /// password and for its confirmation, stores the new password and proves it. Events: `.stepCompleted` twice;
    /// `.inputRejected` for a wrong password, and for a new one that is weak, is the present one, or is confirmed
    /// differently; `.warning`; and `.succeeded` with ``Outcome/passwordChanged(_:)``.
    ///
    /// Until the new password is stored in one atomic write, the present one is valid; from then on, the new one. No
    /// interruption leaves the user without a password. When the platform could not be reached after the write, the
    /// flow succeeds with ``Warning/Code/passwordNotConfirmed``, and the next use of the new password confirms it.
    ///
    /// A wrong present password counts as a failed try of this device. The provider is asked again while tries remain;
    /// with the last one the platform locks the device.
    ///
    /// - Parameter parameters: The user.
    /// - Returns: The flow, which starts when it is iterated. It throws `invalidUser`, `notActivated`, `userLocked`,
    ///   `providerUnavailable`, `passwordChanged` when another flow or process has changed the password meanwhile,
    ///   `transport`, `invalidAnswer`, the errors of the store and the device key, and `CancellationError`.
    public nonisolated func changePassword(
        _ parameters: ChangePasswordParameters
    ) -> AsyncThrowingStream<FlowEvent, any Error> {
        FlowRunner<PasswordChangeFlow>.stream(parameters, on: self)
    }
}
