extension Orchestrator {
    /// Makes a one-time password on the device (requirements H1 to H8).
    ///
    /// No network is needed for the code: `.oneTimePasswordReady` brings it as soon as it exists. After that the flow moves the
    /// key ratchet with one request, if ``OneTimePasswordParameters/synchronization`` allows and the transport
    /// works (else there is a `.warning`), and ends with `.succeeded`, which carries the same code. The move comes
    /// after the code because it needs the network and the code must not; and before the end because a thief who
    /// copies the store later shall not be able to test guesses against a code that was seen.
    ///
    /// A counter is on the disk before its code is shown, so that no crash makes a code twice. A wrong password is
    /// never noticed here (X12): it makes a code that the platform refuses and counts.
    ///
    /// - Parameter parameters: the user, the crypto application, the challenge and the protection.
    /// - Returns: the flow; it starts when it is iterated. It throws `invalidUser`, `notActivated`, `userLocked`,
    ///   `applicationUnknown`, `applicationUnsuitable`, `challengeRequired`, `invalidChallenge`,
    ///   `providerUnavailable`, the errors of the store and the device key, and `CancellationError`.
    public nonisolated func authenticateLocally(
        _ parameters: OneTimePasswordParameters
    ) -> AsyncThrowingStream<FlowEvent, any Error> {
        let environment = environment
        return FlowRunner.stream { OneTimePasswordFlow(parameters: parameters, environment: environment) }
    }
}
