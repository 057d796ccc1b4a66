internal import Logging
internal import Primitives

/// The parts of an orchestrator that never change.
struct FlowEnvironment: Sendable {
    let configuration: Configuration
    let transport: any Transport
    /// The providers that ask for the password.
    let passwords: [any PasswordProvider]
    /// The providers of the keys of biometric and face, at most one for each.
    let methods: [any MethodKeyProvider]
    let vault: Vault
    let deviceKeys: any DeviceKeyProvider
    let time: any TimeSource
    let random: any RandomSource
    let logger: Logger
    /// Records the flows for support.
    let recorder: TranscriptRecorder?
    let deviceData: DeviceDataCollection

    /// Returns the account of a user.
    ///
    /// - Throws: `invalidUser`.
    func account(_ user: UserName) throws(OrchestrationError) -> AccountName {
        do throws(AccountNameError) {
            guard let domain = user.domain else {
                return try AccountName(text: user.text, defaultDomain: configuration.domain)
            }
            return try AccountName(userID: user.text, domain: domain)
        } catch {
            throw OrchestrationError(.invalidUser, underlying: error)
        }
    }

    /// Asks the user for a password.
    ///
    /// - Parameters:
    ///   - remainingTries: The number of wrong passwords that the platform still accepts, where known.
    ///   - dataFields: The fields that the user signs with the password.
    ///   - displayData: The data that the user approves.
    ///   - text: The question; `nil` for the question of the purpose.
    /// - Returns: The password, or `nil` when the user canceled.
    /// - Throws: `providerUnavailable`; `invalidInput` for a provider that breaks its contract;
    ///   the error of the provider; `CancellationError`.
    func password(
        of account: AccountName, for purpose: Prompt.Purpose, rejection: InputRejection? = nil,
        remainingTries: Int? = nil, dataFields: [DataField] = [], policy: PINPolicy?, displayData: String? = nil,
        text: PromptText? = nil
    ) async throws -> SecretBox<Password>? {
        guard let provider = await availablePasswordProvider() else {
            throw OrchestrationError(.providerUnavailable)
        }
        var prompt = Prompt(
            purpose: purpose, method: .password, account: account.text, texts: configuration.texts,
            rejection: rejection, displayData: displayData, dataFields: dataFields, remainingTries: remainingTries,
            policy: policy)
        if let text { prompt.text = configuration.texts[text] }
        do {
            let input = try await ProviderCall.run(patience: ProviderCall.patience) { [prompt] in
                try await provider.authenticate(prompt)
            }
            // A provider may return an input although its task was canceled.
            try Task.checkCancellation()
            guard let secret = input.takeSecret(), !secret.isEmpty else { throw OrchestrationError(.invalidInput) }
            guard secret.count <= 128 else { throw OrchestrationError(.invalidInput) }
            return SecretBox(Password(secret))
        } catch is UserAuthenticationError {
            return nil
        }
    }

    private func availablePasswordProvider() async -> (any PasswordProvider)? {
        for provider in passwords {
            if await provider.availability() == .available { return provider }
        }
        return nil
    }
}
