public import Primitives

extension Orchestrator {
    /// Makes a one-time password on the device.
    ///
    /// The code needs no network: `.oneTimePasswordReady` carries it as soon as it exists. The flow then moves the key
    /// ratchet with one request, and ends with `.succeeded` and the same result. Without a network there is a
    /// `.warning` instead. The move follows the code, because it needs the network. It precedes the end, because a
    /// thief who copies the store later must not be able to test guesses of the password against a code that was seen.
    ///
    /// A counter is durable before its code is shown, which means that a crash cannot make a code twice. The device
    /// cannot detect a wrong password: it makes a code that the platform refuses and counts.
    ///
    /// - Parameters:
    ///   - user: The user id, or `user@domain`.
    ///   - domain: The domain; `nil` for the one in `user`, or the default one.
    ///   - application: The crypto application that makes the code.
    ///   - challenge: The challenge of the platform, for an application that answers one: 1 to 128 bytes of UTF-8.
    ///     White space in it and full-width digits do not change the code.
    ///   - protection: The protection that the app chooses. `.biometric` and `.face` fall back to the password, with a
    ///     warning, where the system cannot bind a key to them.
    ///   - limit: The longest time that the end of the flow waits for the request that moves the ratchet; `nil` for no
    ///     request. The ratchet then moves with the next contact.
    /// - Returns: The flow, which starts when it is iterated. It throws `invalidUser`, `notActivated`, `userLocked`,
    ///   `applicationUnsuitable`, `invalidChallenge`,
    ///   `providerUnavailable`, the errors of the store and the device key, and `CancellationError`.
    public nonisolated func oneTimePassword(
        for user: String, domain: String? = nil, application: CryptoApplicationIndex = .app1, challenge: String? = nil,
        protection: AuthenticationMethod = .password, synchronizingWithin limit: Duration? = .seconds(5)
    ) -> AsyncThrowingStream<FlowEvent, any Error> {
        FlowRunner<LocalCodeFlow<OneTimePasswordParameters>>.stream(
            OneTimePasswordParameters(
                user: UserName(user, domain: domain), application: application, challenge: challenge,
                protection: protection, synchronizationLimit: limit),
            on: self)
    }
}

extension UserHandle {
    /// Makes a one-time password on the device.
    ///
    /// The same as ``Orchestrator/oneTimePassword(for:domain:application:challenge:protection:synchronizingWithin:)``
    /// without the other events. The call returns after the key ratchet was moved, or after the limit; an app that
    /// shows the code earlier iterates the stream.
    ///
    /// - Parameters:
    ///   - application: The crypto application that makes the code.
    ///   - challenge: The challenge of the platform, for an application that answers one.
    ///   - protection: The protection that the app chooses.
    ///   - limit: The longest time that the call waits for the request that moves the ratchet; `nil` for no request.
    /// - Returns: The one-time password.
    /// - Throws: The errors of the flow, including the error of its other end.
    public func oneTimePassword(
        application: CryptoApplicationIndex = .app1, challenge: String? = nil,
        protection: AuthenticationMethod = .password, synchronizingWithin limit: Duration? = .seconds(5)
    ) async throws -> OneTimePasswordResult {
        let flow = orchestrator.oneTimePassword(
            for: name.text, domain: name.domain, application: application, challenge: challenge,
            protection: protection, synchronizingWithin: limit)
        guard case .oneTimePasswordMade(let result) = try await flow.result() else {
            throw OrchestrationError(.internal)
        }
        return result
    }
}
