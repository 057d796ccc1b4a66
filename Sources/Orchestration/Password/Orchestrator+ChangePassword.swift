extension Orchestrator {
    /// Changes the password of a user on this device.
    ///
    /// The flow asks the provider for the current password, and proves it to the platform. Then it asks for the new
    /// password and for its confirmation, stores the new password and proves it. Events: `.stepCompleted` twice;
    /// `.inputRejected` for a wrong password, and for a new one that is weak, equals the current one, or differs from
    /// its confirmation; `.warning`; and `.succeeded` with ``Outcome/passwordChanged(_:)``.
    ///
    /// The current password is valid until the new one is stored in one atomic write. From then on, the new one is
    /// valid. No interruption leaves the user without a password. When the platform could not be reached after the
    /// write, the flow succeeds with ``Warning/Code/passwordNotConfirmed``, and the next use of the new password
    /// confirms it.
    ///
    /// The enrolled methods stay valid. If the user has enrolled methods on this device, the flow ends with
    /// ``Warning/Code/renewEnrolledMethods``, because a person who knew the current password may have enrolled one.
    ///
    /// A wrong current password counts as a failed try of this device. The provider is asked again while tries remain;
    /// with the last one the platform locks the device.
    ///
    /// - Parameters:
    ///   - user: The user id, or `user@domain`.
    ///   - domain: The domain; `nil` for the one in `user`, or the default one.
    /// - Returns: The flow, which starts when it is iterated. It throws `invalidUser`, `notActivated`, `userLocked`,
    ///   `providerUnavailable`, `passwordChanged` when another flow or process has changed the password meanwhile,
    ///   `transport`, `invalidAnswer`, the errors of the store and the device key, and `CancellationError`.
    public nonisolated func changePassword(
        of user: String, domain: String? = nil
    ) -> AsyncThrowingStream<FlowEvent, any Error> {
        FlowRunner<PasswordChangeFlow>.stream(UserName(user, domain: domain), on: self)
    }
}

extension UserHandle {
    /// Changes the password of the user on this device.
    ///
    /// The same as ``Orchestrator/changePassword(of:domain:)`` without the other events.
    ///
    /// - Returns: The user.
    /// - Throws: The errors of the flow, including the error of its other end.
    @discardableResult
    public func changePassword() async throws -> UserInformation {
        let flow = FlowRunner<PasswordChangeFlow>.stream(name, on: orchestrator)
        guard case .passwordChanged(let user) = try await flow.result() else { throw OrchestrationError(.internal) }
        return user
    }
}
