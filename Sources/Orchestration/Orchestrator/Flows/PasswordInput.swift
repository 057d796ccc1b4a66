internal import Primitives

/// The reason why a flow asks for an input again, and the number of inputs that the device has refused in a row.
///
/// An input that the device refuses costs no try. The flow ends after too many such inputs, because a provider without
/// a person may return the same input indefinitely.
struct RefusedInputs: Sendable {
    /// The reason why the previous input was refused.
    private(set) var rejection: InputRejection?
    /// The number of wrong passwords that the platform still accepts, from its latest refusal.
    private(set) var remainingTries: Int?
    private var count = 0

    /// - Parameter rejection: The reason why the platform has refused an input of the right form.
    init(_ rejection: InputRejection? = nil) { self.rejection = rejection }

    /// Refuses an input.
    ///
    /// - Parameter limit: The number of refused inputs that ends the flow.
    /// - Returns: The event.
    /// - Throws: The end of the flow at the limit, `inputRejectedTooOften`.
    mutating func refuse(_ rejection: InputRejection, limit: Int) throws -> FlowEvent {
        count += 1
        self.rejection = rejection
        let event = FlowEvent.inputRejected(rejection)
        guard count < limit else { throw FlowEnd([event, .aborted(.inputRejectedTooOften)]) }
        return event
    }

    /// Returns whether an input has the form of the password. An input of another form cannot be the password. It is
    /// refused without counting a try, at most as often in a row as the policy allows tries.
    mutating func accepts(
        _ password: SecretBox<Password>, under policy: PINPolicy, _ events: FlowEvents
    ) async throws -> Bool {
        guard let fault = password.secret.formFault(under: policy) else { return true }
        try await events.send(try refuse(.unsuitable(fault), limit: policy.tries))
        return false
    }

    /// Processes the refusal of a message that proved an input of the right form. After a wrong password, the user is
    /// asked again.
    ///
    /// - Returns: The events.
    /// - Throws: The end of the flow for any other refusal, and for the last wrong password.
    mutating func refuse(_ refusal: ChannelRefusal, after warnings: [Warning]) throws -> [FlowEvent] {
        guard refusal.code == .wrongPassword, refusal.remainingTries != 0 else {
            throw FlowEnd(refusal.error, after: warnings)
        }
        let rejection = InputRejection.wrongPassword(remainingTries: refusal.remainingTries)
        self = RefusedInputs(rejection)
        remainingTries = refusal.remainingTries
        return warnings.map(FlowEvent.warning) + [.inputRejected(rejection)]
    }
}

extension OneShotSecret {
    /// Takes the text, and parses the activation password, or the code of the same form, in it.
    ///
    /// - Parameter code: The code for a text with a typing error.
    /// - Throws: The end of the flow with this code.
    func activationPassword(orEndingWith code: OrchestrationError.Code) throws -> ActivationPassword {
        guard let typed = take() else { throw OrchestrationError(.internal) }
        do throws(ActivationPasswordError) {
            return try ActivationPassword(parsing: typed)
        } catch {
            throw FlowEnd(OrchestrationError(code, underlying: error))
        }
    }
}

extension FlowEnvironment {
    /// The number of refused inputs for a new password that ends the flow.
    private static let maximumRefusals = 10

    /// Asks for the password of the user, once.
    ///
    /// - Throws: The end of the flow when the user cancels; the errors of ``password(of:for:rejection:)``.
    func currentPassword(
        of account: AccountName, _ inputs: RefusedInputs, dataFields: [DataField] = [], policy: PINPolicy,
        text: PromptText? = nil
    ) async throws -> SecretBox<Password> {
        try await given(
            password(
                of: account, for: .authenticate, rejection: inputs.rejection,
                remainingTries: inputs.remainingTries, dataFields: dataFields, policy: policy, text: text))
    }

    /// Asks for a new password and its confirmation, until both agree and follow the policy.
    ///
    /// - Parameters:
    ///   - purposes: The purposes of the two prompts: for the password and for its confirmation.
    ///   - present: The password that the new one must differ from.
    /// - Throws: The end of the flow when the user cancels, and after ten refused inputs.
    func newPassword(
        of account: AccountName, for purposes: (new: Prompt.Purpose, confirmation: Prompt.Purpose),
        policy: PINPolicy, unlike present: SecretBox<Password>? = nil, _ events: FlowEvents
    ) async throws -> SecretBox<Password> {
        var inputs = RefusedInputs()
        while true {
            let chosen = try await given(
                password(of: account, for: purposes.new, rejection: inputs.rejection, policy: policy))
            let rejection: InputRejection
            if let fault = chosen.secret.fault(under: policy) {
                rejection = .unsuitable(fault)
            } else if let present, chosen.secret.equals(present.secret) {
                rejection = .unsuitable(.unchanged)
            } else {
                let confirmation = try await given(password(of: account, for: purposes.confirmation, policy: policy))
                if confirmation.secret.equals(chosen.secret) { return chosen }
                rejection = .confirmationDiffers
            }
            try await events.send(try inputs.refuse(rejection, limit: Self.maximumRefusals))
        }
    }

    private func given(_ password: SecretBox<Password>?) throws -> SecretBox<Password> {
        guard let password else { throw FlowEnd(.canceled) }
        return password
    }
}
