internal import Primitives

/// The inputs of the user that were refused in one flow. The user is asked again, with the reason.
///
/// Inputs in a row that were refused without a try are limited: a provider without a person, such as a file descriptor,
/// may return the same input each time.
struct RefusedInputs: Sendable {
    /// The reason why the last input was refused, for the next prompt; `nil` before the first one.
    var reason: InputRejection?
    private var count = 0

    /// Refuses an input without a try, and reports it.
    ///
    /// - Parameter limit: The number of inputs in a row that end the flow.
    mutating func refuse(_ reason: InputRejection, limit: Int, _ events: FlowEvents) async throws {
        count += 1
        self.reason = reason
        guard count < limit else { throw FlowEnd([.inputRejected(reason), .aborted(.inputRejectedTooOften)]) }
        try await events.send(.inputRejected(reason))
    }

    /// Returns whether an input has the form of the password. An input of another form cannot be the password. It is
    /// refused without a try, at most as often in a row as the policy allows tries.
    mutating func accepts(
        _ password: SecretBox<Password>, under policy: PINPolicy, _ events: FlowEvents
    ) async throws -> Bool {
        if let fault = password.secret.formFault(under: policy) {
            try await refuse(.unsuitable(fault), limit: policy.tries, events)
            return false
        }
        count = 0
        return true
    }

    /// Returns the acceptance of a message with a proof of the password.
    ///
    /// - Returns: `nil` after a wrong password, which is reported.
    /// - Throws: The end of the flow after any other refusal.
    mutating func acceptance(
        in reply: ChannelReply, _ events: FlowEvents
    ) async throws -> ChannelReply.Acceptance? {
        let warnings = reply.warnings.map(FlowEvent.warning)
        switch reply.result {
        case .accepted(let acceptance): return acceptance
        case .refused(let refusal) where refusal.code == .wrongPassword && refusal.remainingTries == 0:
            // With the last try the platform has locked the device.
            throw FlowEnd(warnings + [.aborted(OrchestrationError(.userLocked, refusal))])
        case .refused(let refusal) where refusal.code == .wrongPassword:
            let rejection = InputRejection.wrongPassword(remainingTries: refusal.remainingTries)
            reason = rejection
            try await events.send(warnings + [.inputRejected(rejection)])
            return nil
        case .refused(let refusal): throw FlowEnd(warnings + refusal.end)
        }
    }
}
