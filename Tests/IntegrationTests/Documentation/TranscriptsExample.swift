import Orchestration

/// The recorder of the article "Transcripts".
func recordFlows(
    configuration: Configuration, transport: any Transport, provider: any UserAuthenticationProvider,
    store: any SecureStore, act: (Orchestrator) async throws -> Void
) async throws {
    let recorder = TranscriptRecorder()
    let orchestrator = try await Orchestrator(
        configuration: configuration, transport: transport, providers: [provider], store: store, recorder: recorder)
    do { try await act(orchestrator) } catch {
        if let transcript = recorder.transcripts.last { print(transcript) }
        throw error
    }
}
