import Foundation
import Orchestration

/// The loop of the article "What the device keeps". The closure shows a text and asks the user.
func deleteUnreadable(orchestrator: Orchestrator, agrees: (String) async -> Bool) async throws {
    for user in try await orchestrator.users.list() {
        guard let error = user.error, await agrees(error.localizedDescription) else { continue }
        try await orchestrator.users.delete(user)
    }
}

/// The device keys of the same article.
func orchestrator(
    salts: Salts, folder: URL, secureEnclave: any DeviceKeyProvider, configuration: Configuration,
    transport: any Transport, providers: [any UserAuthenticationProvider], store: any SecureStore
) async throws -> Orchestrator {
    let keys = PreferredDeviceKeys(
        secureEnclave, otherwise: try SoftwareDeviceKeys(directory: folder, salts: salts))
    return try await Orchestrator(
        configuration: configuration, transport: transport, providers: providers, store: store, deviceKeys: keys)
}
