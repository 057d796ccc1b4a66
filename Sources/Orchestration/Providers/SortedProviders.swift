internal import Primitives

/// The providers of an orchestrator, sorted by their use in a flow.
struct SortedProviders: Sendable {
    /// The providers that ask for the password. A flow uses the first one that is available.
    var passwords: [any PasswordProvider] = []
    /// The providers of the keys of biometric and face, at most one for each.
    var methods: [any MethodKeyProvider] = []

    /// - Parameters:
    ///   - providers: The providers that the app gave.
    ///   - store: The store that also keeps software keys.
    ///   - random: The source of software keys.
    /// - Throws: `invalidConfiguration`.
    init(
        _ providers: [any UserAuthenticationProvider], store: any SecureStore, random: any RandomSource
    ) throws(OrchestrationError) {
        for provider in providers {
            switch provider {
            case let provider as any PasswordProvider where provider.method == .password: passwords.append(provider)
            case let provider as any MethodKeyProvider where provider.protection.isAllowed(for: provider.method):
                methods.append(provider)
            case let provider as any UserCheckProvider where provider.method.isEnrollable:
                guard let folder = (store as? any KeyKeepingStore)?.methodKeyFolder else {
                    throw OrchestrationError(
                        .invalidConfiguration(
                            "the store has no place for the keys of a UserCheckProvider; give its keepingKeys(in:)"))
                }
                methods.append(SoftwareMethodKeys(provider, folder: folder, random: random))
            default:
                throw OrchestrationError(
                    .invalidConfiguration(
                        "a provider has another method than its protocol allows: "
                            + "the password, or biometric or face with a protection of that method"))
            }
        }
        guard Set(methods.map(\.method)).count == methods.count else {
            throw OrchestrationError(.invalidConfiguration("two providers are of one method; give one of them"))
        }
    }
}
