internal import Primitives

/// How a flow asks the user.
struct UserPrompting: Sendable {
    let account: AccountName
    let environment: FlowEnvironment

    /// What came of a prompt.
    enum Answer: Sendable {
        case entered(SecretBox<Password>)
        /// The user gave up.
        case aborted
    }

    /// Asks for a password.
    ///
    /// - Throws: `providerUnavailable`, `inputEmpty` and `inputTooLong` when a provider breaks its contract,
    ///   `unexpected` with what a provider threw, `CancellationError`.
    func password(
        _ purpose: Prompt.Purpose, rejection: InputRejection? = nil, remainingTries: Int? = nil,
        policy: PINPolicy? = nil
    ) async throws -> Answer {
        guard let provider = await environment.provider(of: .password) else {
            throw OrchestrationError(.providerUnavailable)
        }
        let prompt = Prompt(
            purpose: purpose, method: .password, account: account.text, texts: environment.configuration.texts,
            rejection: rejection, remainingTries: remainingTries, policy: policy)
        do {
            let input = try await provider.authenticate(prompt)
            guard let secret = input.takeSecret(), !secret.isEmpty else { throw OrchestrationError(.inputEmpty) }
            guard secret.count <= 128 else { throw OrchestrationError(.inputTooLong) }
            return .entered(SecretBox(Password(secret)))
        } catch is UserAuthenticationError {
            return .aborted
        }
    }
}
