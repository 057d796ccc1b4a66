extension Orchestrator {
    /// Begins the move of a user from this device to another one.
    ///
    /// The flow asks the provider for the password and proves it to the platform, which makes an activation password
    /// for the new device. Events: `.inputRejected` for a wrong password; `.stepCompleted` once; `.warning`; and
    /// `.succeeded` with ``Outcome/moveBegun(_:)``. Show its activation password. On the new device, the user activates
    /// as usual and chooses a password there. With the last step, and in the same transaction, the platform revokes
    /// this device. This device works until then, and the new one from then on. No key is copied.
    ///
    /// This device learns of the end with its next request, which throws or ends with `revoked`. A move that is not
    /// completed has no effect. Another call, or a registration of the user, replaces the activation password, and the
    /// platform refuses the previous one. This also applies after a lost answer: call again.
    ///
    /// A wrong password counts as a failed try of this device. The provider is asked again while tries remain; with the
    /// last one the platform locks the device.
    ///
    /// - Parameters:
    ///   - user: The user id, or `user@domain`.
    ///   - domain: The domain; `nil` for the one in `user`, or the default one.
    /// - Returns: The flow, which starts when it is iterated. It throws `invalidUser`, `notActivated`, `userLocked`,
    ///   `providerUnavailable`, `passwordChanged`, `transport`, `invalidAnswer`, the errors of the store and the device
    ///   key, and `CancellationError`.
    public nonisolated func move(
        _ user: String, domain: String? = nil
    ) -> AsyncThrowingStream<FlowEvent, any Error> {
        FlowRunner<MoveFlow>.stream(UserName(user, domain: domain), on: self)
    }
}

extension UserHandle {
    /// Begins the move of the user from this device to another one.
    ///
    /// The same as ``Orchestrator/move(_:domain:)`` without the other events.
    ///
    /// - Returns: The activation password for the new device, and its expiry.
    /// - Throws: The errors of the flow, including the error of its other end.
    public func move() async throws -> DeviceMove {
        let flow = FlowRunner<MoveFlow>.stream(name, on: orchestrator)
        guard case .moveBegun(let move) = try await flow.result() else { throw OrchestrationError(.internal) }
        return move
    }
}
