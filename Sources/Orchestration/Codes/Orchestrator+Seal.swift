public import Primitives

extension Orchestrator {
    /// Seals data on the device.
    ///
    /// The data is read and hashed before the user is asked. The seal needs no network: `.sealReady` carries it as soon
    /// as it exists. The flow then moves the key ratchet with one request, and ends with `.succeeded` and the same
    /// seal, as a flow of ``sign(_:for:domain:application:protection:synchronizingWithin:)`` does. Seals and signatures
    /// share one counter, which means that two seals over the same data differ. A seal is not a signature of the same
    /// data, and a signature is not a seal.
    ///
    /// The prompt for the password carries the text, or the name and the digest (``Prompt/dataFields``). With the
    /// protection `.possession` there is no prompt: show what is sealed before the call.
    ///
    /// - Parameters:
    ///   - data: The data, 1 byte to 64 MiB.
    ///   - user: The user id, or `user@domain`.
    ///   - domain: The domain; `nil` for the one in `user`, or the default one.
    ///   - application: The crypto application that seals; `nil` for the first one that the platform has issued for
    ///     signatures.
    ///   - protection: The protection that the app chooses. `.biometric` and `.face` fall back to the password, with a
    ///     warning, where the system cannot bind a key to them.
    ///   - limit: The longest time that the end of the flow waits for the request that moves the ratchet; `nil` for no
    ///     request. The ratchet then moves with the next contact.
    /// - Returns: The flow, which starts when it is iterated. It throws `invalidUser`, `notActivated`, `userLocked`,
    ///   `applicationUnsuitable`, `providerUnavailable`; `invalidSealData` for data that is empty, has more than 64 MiB,
    ///   cannot be read or has changed while it was read, and for a text or a name that is not allowed;
    ///   `sealsUnavailable` when the platform accepts no seals, before the user is asked; the errors of the store and
    ///   the device key, and `CancellationError`.
    public nonisolated func seal(
        _ data: SealData, for user: String, domain: String? = nil, application: CryptoApplicationIndex? = nil,
        protection: AuthenticationMethod = .password, synchronizingWithin limit: Duration? = .seconds(5)
    ) -> AsyncThrowingStream<FlowEvent, any Error> {
        FlowRunner<LocalCodeFlow<SealParameters>>.stream(
            SealParameters(
                user: UserName(user, domain: domain), sealed: data, application: application, protection: protection,
                synchronizationLimit: limit),
            on: self)
    }
}

extension UserHandle {
    /// Seals data on the device.
    ///
    /// The same as ``Orchestrator/seal(_:for:domain:application:protection:synchronizingWithin:)`` without the other
    /// events. The call returns after the key ratchet was moved, or after the limit; an app that shows the seal earlier
    /// iterates the stream.
    ///
    /// - Parameters:
    ///   - data: The data, 1 byte to 64 MiB.
    ///   - application: The crypto application that seals; `nil` for the first one that the platform has issued for
    ///     signatures.
    ///   - protection: The protection that the app chooses.
    ///   - limit: The longest time that the call waits for the request that moves the ratchet; `nil` for no request.
    /// - Returns: The seal.
    /// - Throws: The errors of the flow, including the errors of its other ends.
    public func seal(
        _ data: SealData, application: CryptoApplicationIndex? = nil, protection: AuthenticationMethod = .password,
        synchronizingWithin limit: Duration? = .seconds(5)
    ) async throws -> OfflineSeal {
        let flow = orchestrator.seal(
            data, for: name.text, domain: name.domain, application: application, protection: protection,
            synchronizingWithin: limit)
        guard case .sealMade(let seal) = try await flow.result() else { throw OrchestrationError(.internal) }
        return seal
    }
}
