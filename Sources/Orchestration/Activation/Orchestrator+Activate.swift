public import OrchestrationProtocol
public import Primitives

extension Orchestrator {
    /// Activates a user on this device, in four round trips.
    ///
    /// The user chooses a password between the second and the third round trip. Events: `.stepCompleted` four times;
    /// `.inputRejected` for a password that is weak or confirmed differently, after which the user is asked again;
    /// `.warning`; and `.succeeded` with ``Outcome/activated(_:)``. The account is complete then, unless
    /// `registersNotifications` is `false`.
    ///
    /// An activation that was interrupted after the user chose a password is resumed by the same call, with the same
    /// activation password, or by ``resumeActivation(of:domain:registersNotifications:)`` without one. The user is asked for the chosen
    /// password, and the platform counts wrong ones. An activation that was interrupted earlier starts again, and no
    /// try of the activation password is lost.
    ///
    /// - Parameters:
    ///   - user: The user id, or `user@domain`.
    ///   - domain: The domain; `nil` for the one in `user`, or the default one.
    ///   - activationPassword: The text that the user received outside the network: twelve characters. Case, spaces and
    ///     hyphens are ignored. It is wiped when the flow is released.
    ///   - registersNotifications: Whether the activation registers the pull channel, which completes the account. With
    ///     `false`, the flow ends with the warning `notificationsPending`, and the platform announces no approval request
    ///     to this device before ``registerNotifications(for:domain:identifier:)`` has run.
    /// - Returns: The flow, which starts when it is iterated. It throws `invalidUser`, `alreadyActivated`,
    ///   `providerUnavailable`, `transport`, `invalidAnswer`, the errors of the store and the device key, and
    ///   `CancellationError`; without an activation password also `userUnknown` and `userLocked`. An activation
    ///   password that is not accepted ends the flow with `.aborted`: `activationPasswordMistyped`,
    ///   `activationPasswordNotConfirmed` or `activationPasswordTriedTooOften`.
    public nonisolated func activate(
        _ user: String, domain: String? = nil, with activationPassword: consuming SecretBytes,
        registersNotifications: Bool = true
    ) -> AsyncThrowingStream<FlowEvent, any Error> {
        activate(UserName(user, domain: domain), OneShotSecret(activationPassword), registersNotifications)
    }

    /// Activates a user on this device, with an activation password in a string.
    ///
    /// The same as ``activate(_:domain:with:registersNotifications:)-(_,_,SecretBytes,_)``. A string cannot be wiped: prefer `SecretBytes`.
    ///
    /// - Parameters:
    ///   - user: The user id, or `user@domain`.
    ///   - domain: The domain; `nil` for the one in `user`, or the default one.
    ///   - activationPassword: The text that the user received outside the network.
    ///   - registersNotifications: Whether the activation registers the pull channel, which completes the account.
    /// - Returns: The flow.
    public nonisolated func activate(
        _ user: String, domain: String? = nil, with activationPassword: String,
        registersNotifications: Bool = true
    ) -> AsyncThrowingStream<FlowEvent, any Error> {
        activate(
            user, domain: domain, with: SecretBytes(copying: activationPassword.utf8),
            registersNotifications: registersNotifications)
    }

    /// Activates the user of an activation link on this device.
    ///
    /// The same as ``activate(_:domain:with:registersNotifications:)-(_,_,SecretBytes,_)``, with the user and the first
    /// three characters of the activation password from the link. Before the call, show the address and the account of
    /// the link, and ask the user whether they are right. The link is not authenticated, and its address is not used:
    /// the commands go to the transport of the orchestrator, which may be a relay with another address.
    ///
    /// - Parameters:
    ///   - link: The link, which `ActivationLink.init(_:)` has read.
    ///   - typed: The other nine characters of the activation password, or all twelve.
    ///   - registersNotifications: Whether the activation registers the pull channel, which completes the account.
    /// - Returns: The flow. It also throws `linkOfOtherPlatform` for the link of another tenant, before anything is sent.
    public nonisolated func activate(
        _ link: ActivationLink, with typed: consuming SecretBytes, registersNotifications: Bool = true
    ) -> AsyncThrowingStream<FlowEvent, any Error> {
        FlowRunner<ActivationFlow>.stream(
            .init(
                user: UserName(link.account.text, domain: nil),
                activationPassword: OneShotSecret(link.activationPassword(completedBy: typed)),
                registersNotifications: registersNotifications, link: link),
            on: self)
    }

    /// Resumes an activation that was interrupted after the user had chosen a password.
    ///
    /// The device then needs no activation password. The user types the chosen password, or nothing if the platform has
    /// accepted it already. ``UserInformation/state-swift.property`` is `pending` for such a user. The events are the
    /// remaining events of ``activate(_:domain:with:registersNotifications:)-(_,_,SecretBytes,_)``.
    ///
    /// - Parameters:
    ///   - user: The user id, or `user@domain`.
    ///   - domain: The domain; `nil` for the one in `user`, or the default one.
    ///   - registersNotifications: Whether the activation registers the pull channel, which completes the account.
    /// - Returns: The flow, which starts when it is iterated. It throws the errors of the activation, `userUnknown` when
    ///   there is nothing to resume, and `userLocked`. It ends with `.outdated` (`activationExpired`) when the
    ///   platform has dropped the device meanwhile.
    public nonisolated func resumeActivation(
        of user: String, domain: String? = nil, registersNotifications: Bool = true
    ) -> AsyncThrowingStream<FlowEvent, any Error> {
        activate(UserName(user, domain: domain), nil, registersNotifications)
    }

    fileprivate nonisolated func activate(
        _ user: UserName, _ activationPassword: OneShotSecret?, _ registersNotifications: Bool
    ) -> AsyncThrowingStream<FlowEvent, any Error> {
        FlowRunner<ActivationFlow>.stream(
            .init(
                user: user, activationPassword: activationPassword, registersNotifications: registersNotifications),
            on: self)
    }
}

extension UserHandle {
    /// Activates the user on this device.
    ///
    /// The same as ``Orchestrator/activate(_:domain:with:registersNotifications:)-(_,_,SecretBytes,_)`` without the other events.
    ///
    /// - Parameters:
    ///   - activationPassword: The text that the user received outside the network.
    ///   - registersNotifications: Whether the activation registers the pull channel, which completes the account.
    /// - Returns: The activated user.
    /// - Throws: The errors of the flow, including the errors of its other ends.
    @discardableResult
    public func activate(
        with activationPassword: consuming SecretBytes, registersNotifications: Bool = true
    ) async throws -> UserInformation {
        try await activated(orchestrator.activate(name, OneShotSecret(activationPassword), registersNotifications))
    }

    /// Activates the user on this device, with an activation password in a string.
    ///
    /// A string cannot be wiped: prefer `SecretBytes`.
    ///
    /// - Parameters:
    ///   - activationPassword: The text that the user received outside the network.
    ///   - registersNotifications: Whether the activation registers the pull channel, which completes the account.
    /// - Returns: The activated user.
    /// - Throws: The errors of the flow, including the errors of its other ends.
    @discardableResult
    public func activate(
        with activationPassword: String, registersNotifications: Bool = true
    ) async throws -> UserInformation {
        try await activate(
            with: SecretBytes(copying: activationPassword.utf8), registersNotifications: registersNotifications)
    }

    /// Resumes an activation that was interrupted after the user had chosen a password.
    ///
    /// The same as ``Orchestrator/resumeActivation(of:domain:registersNotifications:)`` without the other events.
    ///
    /// - Parameter registersNotifications: Whether the activation registers the pull channel, which completes the account.
    /// - Returns: The activated user.
    /// - Throws: The errors of the flow, including the errors of its other ends.
    @discardableResult
    public func resumeActivation(registersNotifications: Bool = true) async throws -> UserInformation {
        try await activated(orchestrator.activate(name, nil, registersNotifications))
    }

    private func activated(_ flow: AsyncThrowingStream<FlowEvent, any Error>) async throws -> UserInformation {
        guard case .activated(let user) = try await flow.result() else { throw OrchestrationError(.internal) }
        return user
    }
}
