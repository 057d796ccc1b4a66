import Orchestration

/// The code of the article "Biometric and face".
func enrolledMethodsExample(
    configuration: Configuration, transport: any Transport, keypad: any PasswordProvider,
    biometric: any MethodKeyProvider, store: any SecureStore, show: (FlowEvent) -> Void
) async throws {
    let orchestrator = try await Orchestrator(
        configuration: configuration, transport: transport, providers: [keypad, biometric], store: store)
    for try await event in orchestrator.enroll(.biometric, for: "alice") { show(event) }
}

/// A sensor of a terminal.
protocol Sensor: Sendable {
    var isReady: Bool { get async }
    func recognizesFinger(asking question: String) async throws -> Bool
}

struct FingerCheck: UserCheckProvider {
    let method = AuthenticationMethod.biometric
    let sensor: any Sensor

    func availability() async -> Availability { await sensor.isReady ? .available : .unavailable }

    func check(_ prompt: Prompt) async throws -> UserCheck {
        try await sensor.recognizesFinger(asking: prompt.text) ? .recognized : .notRecognized
    }
}
