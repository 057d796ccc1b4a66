extension Orchestrator {
    /// Returns the methods that a user can enroll on this device now: those of the providers that are available.
    public nonisolated func enrollableMethods() async -> [AuthenticationMethod] {
        var methods: [AuthenticationMethod] = []
        for provider in environment.methods where (try? await provider.boundedAvailability()) == .available {
            methods.append(provider.method)
        }
        return methods
    }

    /// Enrolls biometric or face for a user on this device.
    ///
    /// The flow enrolls with the provider of the method, which makes a signing key, asks for the password, registers
    /// the key at the platform, and stores the secret that the platform has made for the method. Events:
    /// `.enrollmentProgressed` for each step of the provider; `.inputRejected` for a wrong password; `.stepCompleted`
    /// once; `.warning`; and `.succeeded` with ``Outcome/methodEnrolled(_:)``. `.aborted` (`canceled`) when the user
    /// cancels, and `.aborted` (`methodFailed`) when the check of the provider fails.
    ///
    /// The method is enrolled when the flow succeeds, and not before. An interruption leaves the earlier enrollment of
    /// the method as it was on this device; where the platform has registered the new one already, the earlier one is
    /// not accepted any more, and the next use falls back to the password: an approval at once, and a code after the
    /// synchronization that follows it.
    ///
    /// - Parameters:
    ///   - method: Biometric or face. The orchestrator needs a provider for it.
    ///   - parameters: The user.
    /// - Returns: The flow, which starts when it is iterated. It throws `invalidUser`, `notActivated`, `userLocked`,
    ///   `providerUnavailable`, `passwordChanged`, `deviceKeyUnavailable`, `transport`, `invalidAnswer`, the errors of
    ///   the store and of the provider, and `CancellationError`.
    public nonisolated func enroll(
        _ method: AuthenticationMethod, for parameters: MethodParameters
    ) -> AsyncThrowingStream<FlowEvent, any Error> {
        FlowRunner<MethodEnrollmentFlow>.stream(MethodFlowParameters(method, parameters), on: self)
    }

    /// Removes biometric or face of a user on this device.
    ///
    /// The keys on this device are deleted first, also without a network. Then the platform is informed. Events:
    /// `.stepCompleted` once, or `.warning` with ``Warning/Code/methodRemovalNotConfirmed`` when the platform could not
    /// be informed; and `.succeeded` with ``Outcome/methodRemoved(_:)``. A method that is not enrolled is removed at
    /// the platform alone.
    ///
    /// - Parameters:
    ///   - method: Biometric or face.
    ///   - parameters: The user.
    /// - Returns: The flow, which starts when it is iterated. It throws `invalidUser`, `notActivated`,
    ///   `invalidConfiguration` for another method, the errors of the store, and `CancellationError`.
    public nonisolated func removeMethod(
        _ method: AuthenticationMethod, for parameters: MethodParameters
    ) -> AsyncThrowingStream<FlowEvent, any Error> {
        FlowRunner<MethodRemovalFlow>.stream(MethodFlowParameters(method, parameters), on: self)
    }
}
