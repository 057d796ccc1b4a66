import Orchestration

/// The code of the article "Biometric and face".
func enrolledMethodsExample(
    configuration: Configuration, transport: any Transport, keypad: any UserAuthenticationProvider,
    biometric: any MethodKeyProvider, store: any SecureStore, show: (FlowEvent) -> Void
) async throws {
    let orchestrator = try await Orchestrator(
        configuration: configuration, transport: transport, providers: [keypad], methods: [biometric], store: store)
    for try await event in orchestrator.enroll(.biometric, for: "alice") { show(event) }
}
