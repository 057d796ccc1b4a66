public import Primitives

extension Orchestrator {
    /// Signs the fields of a transaction on the device.
    ///
    /// The signature needs no network: `.signatureReady` carries it as soon as it exists. The flow then moves the key
    /// ratchet with one request, and ends with `.succeeded` and the same signature, as a flow of
    /// ``oneTimePassword(for:domain:application:challenge:protection:synchronizingWithin:)`` does.
    ///
    /// The prompt for the password carries the fields. With the protection `.possession` there is no prompt: show the
    /// fields before the call. A counter is durable before its signature is shown. Two equal transactions therefore
    /// have different signatures, and a crash cannot make a signature twice. The platform finds a signature among the
    /// next eleven. After a device has made more signatures without sending one, the platform finds its signatures
    /// again after the next contact.
    ///
    /// - Parameters:
    ///   - fields: The fields that are signed, in their order: 1 to 8, with texts of at most 16 characters. Their texts
    ///     are signed in Unicode normalization form C. Show the user the fields and their labels unchanged.
    ///   - user: The user id, or `user@domain`.
    ///   - domain: The domain; `nil` for the one in `user`, or the default one.
    ///   - application: The crypto application that signs; `nil` for the first one that the platform has issued for
    ///     signatures.
    ///   - protection: The protection that the app chooses. `.biometric` and `.face` fall back to the password, with a
    ///     warning, where the system cannot bind a key to them.
    ///   - limit: The longest time that the end of the flow waits for the request that moves the ratchet; `nil` for no
    ///     request. The ratchet then moves with the next contact.
    /// - Returns: The flow, which starts when it is iterated. It throws `invalidUser`, `invalidArgument`,
    ///   `notActivated`, `userLocked`, `applicationUnsuitable`, `providerUnavailable`, the errors
    ///   of the store and the device key, and `CancellationError`.
    public nonisolated func sign(
        _ fields: [DataField], for user: String, domain: String? = nil, application: CryptoApplicationIndex? = nil,
        protection: AuthenticationMethod = .password, synchronizingWithin limit: Duration? = .seconds(5)
    ) -> AsyncThrowingStream<FlowEvent, any Error> {
        FlowRunner<LocalCodeFlow<LocalTransactionParameters>>.stream(
            LocalTransactionParameters(
                user: UserName(user, domain: domain), fields: fields, application: application,
                protection: protection, synchronizationLimit: limit),
            on: self)
    }
}

extension UserHandle {
    /// Signs the fields of a transaction on the device.
    ///
    /// The same as ``Orchestrator/sign(_:for:domain:application:protection:synchronizingWithin:)`` without the other
    /// events. The call returns after the key ratchet was moved, or after the limit; an app that shows the signature
    /// earlier iterates the stream.
    ///
    /// - Parameters:
    ///   - fields: The fields that are signed, 1 to 8.
    ///   - application: The crypto application that signs; `nil` for the first one that the platform has issued for
    ///     signatures.
    ///   - protection: The protection that the app chooses.
    ///   - limit: The longest time that the call waits for the request that moves the ratchet; `nil` for no request.
    /// - Returns: The signature.
    /// - Throws: The errors of the flow, including the error of its other end.
    public func sign(
        _ fields: [DataField], application: CryptoApplicationIndex? = nil,
        protection: AuthenticationMethod = .password, synchronizingWithin limit: Duration? = .seconds(5)
    ) async throws -> LocalSignature {
        let flow = orchestrator.sign(
            fields, for: name.text, domain: name.domain, application: application, protection: protection,
            synchronizingWithin: limit)
        guard case .signatureMade(let signature) = try await flow.result() else { throw OrchestrationError(.internal) }
        return signature
    }
}
