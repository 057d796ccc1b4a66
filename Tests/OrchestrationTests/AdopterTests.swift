// Only what an adopter imports: this file compiles when every name that the SDK's API needs is re-exported.
import Orchestration

/// A transport as an adopter writes one.
private struct AdoptersTransport: Transport {
    func send(_ command: OrchestrationCommand) async throws -> OrchestrationCommand {
        try OrchestrationCommand(bytes: command.bytes)
    }
}

/// A provider as an adopter writes one.
private struct AdoptersProvider: UserAuthenticationProvider {
    var method: AuthenticationMethod { .password }

    func availability() async -> Availability { .available }

    func authenticate(_ prompt: Prompt) async throws -> UserInput {
        UserInput(SecretBytes(copying: prompt.text.utf8))
    }
}

/// Everything else that the API makes an adopter name.
private func names(_ account: AccountName, _ time: any TimeSource, _ random: any RandomSource) -> [Any] {
    let moment: Timestamp = SystemTimeSource().now()
    let blame: Blame = OrchestrationError(.transport).blame
    let location: SourceLocation = OrchestrationError(.transport).location
    return [account, SystemRandomSource(), moment, blame, location, AdoptersTransport(), AdoptersProvider()]
}
