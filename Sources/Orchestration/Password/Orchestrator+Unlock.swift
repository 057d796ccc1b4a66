public import Primitives

extension Orchestrator {
    /// Unlocks a user on this device with an unlock code, and sets a new password.
    ///
    /// A user whose device is locked after wrong passwords, or who has forgotten the password, gets an unlock code from
    /// the application server or the help desk. The flow sends it, asks the provider for a new password and for its
    /// confirmation, stores the new password and proves it. Events: `.stepCompleted` twice; `.inputRejected` for a new
    /// password that is weak or differs from its confirmation; `.warning`; and `.succeeded` with
    /// ``Outcome/unlocked(_:)``. Enrolled methods stay. On a device that was locked, the previous password is never
    /// valid again. On any other device, it is valid until the new one is proven.
    ///
    /// After an interruption, such as a `transport` error, call the method again with the same unlock code: no try is
    /// spent. If the new password was stored already, the provider is asked for that password with the purpose
    /// `.authenticate`, and the platform counts wrong ones. The device stays locked until the platform has accepted the
    /// proof. The code is then used. If only that answer was lost, the next call completes the unlock without a prompt
    /// and with one step. On a device that was not locked, it ends with `unlockCodeRefused`, and the new password
    /// works.
    ///
    /// - Parameters:
    ///   - user: The user id, or `user@domain`.
    ///   - domain: The domain; `nil` for the one in `user`, or the default one.
    ///   - unlockCode: The text that the user received outside the network: twelve characters, as an activation
    ///     password. Case, spaces and hyphens are ignored. It is wiped when the flow is released.
    /// - Returns: The flow, which starts when it is iterated. It throws `invalidUser`; `notActivated`; `cloneSuspected`
    ///   and `revoked` for a user who is locked for this reason; `providerUnavailable`; `passwordChanged` when another
    ///   flow or process has changed the password meanwhile; `transport`, `invalidAnswer`, the errors of the store and
    ///   the device key, and `CancellationError`. A code that is not accepted ends the flow with `.aborted`:
    ///   `unlockCodeMistyped`, or `unlockCodeRefused` with ``OrchestrationError/remainingTries`` where a try was spent.
    public nonisolated func unlock(
        _ user: String, domain: String? = nil, with unlockCode: consuming SecretBytes
    ) -> AsyncThrowingStream<FlowEvent, any Error> {
        unlock(UserName(user, domain: domain), OneShotSecret(unlockCode))
    }

    /// Unlocks a user on this device, with an unlock code in a string.
    ///
    /// The same as ``unlock(_:domain:with:)-(_,_,SecretBytes)``. A string cannot be wiped: prefer `SecretBytes`.
    ///
    /// - Parameters:
    ///   - user: The user id, or `user@domain`.
    ///   - domain: The domain; `nil` for the one in `user`, or the default one.
    ///   - unlockCode: The text that the user received outside the network.
    /// - Returns: The flow.
    public nonisolated func unlock(
        _ user: String, domain: String? = nil, with unlockCode: String
    ) -> AsyncThrowingStream<FlowEvent, any Error> {
        unlock(user, domain: domain, with: SecretBytes(copying: unlockCode.utf8))
    }

    fileprivate nonisolated func unlock(
        _ user: UserName, _ unlockCode: OneShotSecret
    ) -> AsyncThrowingStream<FlowEvent, any Error> {
        FlowRunner<UnlockFlow>.stream(.init(user: user, unlockCode: unlockCode), on: self)
    }
}

extension UserHandle {
    /// Unlocks the user on this device with an unlock code, and sets a new password.
    ///
    /// The same as ``Orchestrator/unlock(_:domain:with:)-(_,_,SecretBytes)`` without the other events.
    ///
    /// - Parameter unlockCode: The text that the user received outside the network.
    /// - Returns: The user.
    /// - Throws: The errors of the flow, including the errors of its other ends.
    @discardableResult
    public func unlock(with unlockCode: consuming SecretBytes) async throws -> UserInformation {
        let flow = orchestrator.unlock(name, OneShotSecret(unlockCode))
        guard case .unlocked(let user) = try await flow.result() else { throw OrchestrationError(.internal) }
        return user
    }

    /// Unlocks the user on this device, with an unlock code in a string.
    ///
    /// A string cannot be wiped: prefer `SecretBytes`.
    ///
    /// - Parameter unlockCode: The text that the user received outside the network.
    /// - Returns: The user.
    /// - Throws: The errors of the flow, including the errors of its other ends.
    @discardableResult
    public func unlock(with unlockCode: String) async throws -> UserInformation {
        try await unlock(with: SecretBytes(copying: unlockCode.utf8))
    }
}
