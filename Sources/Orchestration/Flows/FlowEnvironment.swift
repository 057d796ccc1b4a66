internal import Logging
internal import Primitives

/// What every flow of an orchestrator works with.
struct FlowEnvironment: Sendable {
    let configuration: Configuration
    let transport: any Transport
    let providers: [any UserAuthenticationProvider]
    let vault: Vault
    let deviceKeys: any DeviceKeyProvider
    let time: any TimeSource
    let random: any RandomSource
    let logger: Logger
    let seats: FlowSeats
    let doubts = ClockDoubts()

    /// How often codes were tried in vain.
    var attempts: ActivationAttempts { ActivationAttempts(vault: vault, time: time) }

    /// The account that a caller means.
    ///
    /// - Throws: `invalidUser`.
    func account(user: String, domain: String?) throws(OrchestrationError) -> AccountName {
        do throws(AccountNameError) {
            guard let domain else { return try AccountName(text: user, defaultDomain: configuration.domain) }
            return try AccountName(userID: user, domain: domain)
        } catch {
            throw OrchestrationError(.invalidUser, underlying: error)
        }
    }

    /// The provider that asks for a method, if there is one and it can ask now.
    func provider(of method: AuthenticationMethod) async -> (any UserAuthenticationProvider)? {
        for provider in providers where provider.method == method {
            if await provider.availability() == .available { return provider }
        }
        return nil
    }
}
