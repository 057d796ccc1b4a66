extension Orchestrator {
    /// Returns the methods that a user can enroll on this device now: the methods of the available providers.
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
    /// The method is enrolled when the flow succeeds, and not before. After an interruption, the previous enrollment of
    /// the method stays as it was on this device. Where the platform has registered the new enrollment already, it no
    /// longer accepts the previous one. The next use then falls back to the password: an approval at once, and a code
    /// after the synchronization that follows it.
    ///
    /// - Parameters:
    ///   - method: Biometric or face. The orchestrator needs a provider for it.
    ///   - user: The user id, or `user@domain`.
    ///   - domain: The domain; `nil` for the one in `user`, or the default one.
    /// - Returns: The flow, which starts when it is iterated. It throws `invalidUser`, `notActivated`, `userLocked`,
    ///   `providerUnavailable`, `passwordChanged`, `deviceKeyUnavailable`, `transport`, `invalidAnswer`, the errors of
    ///   the store and of the provider, and `CancellationError`.
    public nonisolated func enroll(
        _ method: AuthenticationMethod, for user: String, domain: String? = nil
    ) -> AsyncThrowingStream<FlowEvent, any Error> {
        FlowRunner<MethodEnrollmentFlow>.stream(.init(method, UserName(user, domain: domain)), on: self)
    }

    /// Removes biometric or face of a user, on this device or on all devices.
    ///
    /// On this device alone, the keys are deleted first, also without a network. Then the platform is informed. Events:
    /// `.stepCompleted` once, or `.warning` with ``Warning/Code/methodRemovalNotConfirmed`` when the platform could not
    /// be informed; and `.succeeded` with ``Outcome/methodRemoved(_:)``. A method that is not enrolled is removed at
    /// the platform alone.
    ///
    /// On all devices, the flow asks for the password first, and the platform ends every registration of the method in
    /// one transaction. Then the keys on this device are deleted. From the transaction on, no device of the user is
    /// accepted by the method. Each other device deletes its keys at its next synchronization or its next answer by the
    /// method. Events: `.inputRejected` for a wrong password, `.stepCompleted` once, `.warning`, and `.succeeded` with
    /// ``Outcome/methodRemoved(_:)``; `.aborted` (`canceled`) when the user cancels, with nothing removed. Without a
    /// network the flow throws `transport`. The method may or may not be removed then: ask again.
    ///
    /// - Parameters:
    ///   - method: Biometric or face.
    ///   - user: The user id, or `user@domain`.
    ///   - domain: The domain; `nil` for the one in `user`, or the default one.
    ///   - everywhere: Whether the method is removed on all devices of the user.
    /// - Returns: The flow, which starts when it is iterated. It throws `invalidUser`, `notActivated`,
    ///   `invalidConfiguration` for another method, the errors of the store, and `CancellationError`. On all devices
    ///   also `userLocked`, `passwordChanged`, `transport`, `invalidAnswer`, and the errors of the provider of the
    ///   password.
    public nonisolated func remove(
        _ method: AuthenticationMethod, of user: String, domain: String? = nil, everywhere: Bool = false
    ) -> AsyncThrowingStream<FlowEvent, any Error> {
        FlowRunner<MethodRemovalFlow>.stream(
            .init(method, UserName(user, domain: domain), everywhere: everywhere), on: self)
    }
}

extension UserHandle {
    /// Enrolls biometric or face for the user on this device.
    ///
    /// The same as ``Orchestrator/enroll(_:for:domain:)`` without the other events.
    ///
    /// - Parameter method: Biometric or face. The orchestrator needs a provider for it.
    /// - Returns: The user, with the enrolled methods.
    /// - Throws: The errors of the flow, including the error of its other end.
    @discardableResult
    public func enroll(_ method: AuthenticationMethod) async throws -> UserInformation {
        let flow = FlowRunner<MethodEnrollmentFlow>.stream(.init(method, name), on: orchestrator)
        guard case .methodEnrolled(let user) = try await flow.result() else { throw OrchestrationError(.internal) }
        return user
    }

    /// Removes biometric or face of the user, on this device or on all devices.
    ///
    /// The same as ``Orchestrator/remove(_:of:domain:everywhere:)`` without the other events.
    ///
    /// - Parameters:
    ///   - method: Biometric or face.
    ///   - everywhere: Whether the method is removed on all devices of the user, which asks for the password.
    /// - Returns: The user, with the methods that are left on this device.
    /// - Throws: The errors of the flow, including the error of its other end.
    @discardableResult
    public func remove(_ method: AuthenticationMethod, everywhere: Bool = false) async throws -> UserInformation {
        let flow = FlowRunner<MethodRemovalFlow>.stream(
            .init(method, name, everywhere: everywhere), on: orchestrator)
        guard case .methodRemoved(let user) = try await flow.result() else { throw OrchestrationError(.internal) }
        return user
    }
}

/// The parameters of a flow about one enrolled method.
struct MethodFlowParameters: FlowParameters {
    let method: AuthenticationMethod
    let user: UserName
    /// Whether a removal is on all devices of the user.
    let everywhere: Bool

    init(_ method: AuthenticationMethod, _ user: UserName, everywhere: Bool = false) {
        self.method = method
        self.user = user
        self.everywhere = everywhere
    }
}
