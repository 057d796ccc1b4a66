internal import Primitives

extension FlowEnvironment {
    /// The number of refused inputs for a new password that ends the flow.
    private static let maximumRefusals = 10

    /// Asks for the password of the user, once.
    ///
    /// - Throws: The end of the flow when the user cancels; the errors of ``password(of:for:rejection:)``.
    func presentPassword(
        of account: AccountName, _ inputs: RefusedInputs, policy: PINPolicy, displayData: String? = nil,
        text: PromptText? = nil
    ) async throws -> SecretBox<Password> {
        try given(
            await password(
                of: account, for: .authenticate, rejection: inputs.reason, policy: policy, displayData: displayData,
                text: text))
    }

    /// Asks for a new password and its confirmation, until both agree and follow the policy.
    ///
    /// - Parameters:
    ///   - purposes: Those of the password and of its confirmation.
    ///   - present: The password that the new one must differ from.
    /// - Throws: The end of the flow when the user cancels, and after ten refused inputs.
    func newPassword(
        of account: AccountName, for purposes: (new: Prompt.Purpose, confirmation: Prompt.Purpose),
        policy: PINPolicy, unlike present: SecretBox<Password>? = nil, _ events: FlowEvents
    ) async throws -> SecretBox<Password> {
        var inputs = RefusedInputs()
        while true {
            let chosen = try given(
                await password(of: account, for: purposes.new, rejection: inputs.reason, policy: policy))
            let rejection: InputRejection
            if let fault = chosen.secret.fault(under: policy) {
                rejection = .unsuitable(fault)
            } else if let present, chosen.secret.equals(present.secret) {
                rejection = .unsuitable(.unchanged)
            } else {
                let confirmation = try given(await password(of: account, for: purposes.confirmation, policy: policy))
                if confirmation.secret.equals(chosen.secret) { return chosen }
                rejection = .confirmationDiffers
            }
            try await inputs.refuse(rejection, limit: Self.maximumRefusals, events)
        }
    }

    private func given(_ password: SecretBox<Password>?) throws -> SecretBox<Password> {
        guard let password else { throw FlowEnd(.canceled) }
        return password
    }
}
