import Foundation
import Orchestration

/// The loop of the article "What the device keeps". The closure shows a text and asks the user.
func deleteUnreadable(orchestrator: Orchestrator, agrees: (String) async -> Bool) async throws {
    for user in try await orchestrator.users.list() {
        guard let error = user.error, await agrees(error.localizedDescription) else { continue }
        try await orchestrator.users.delete(user)
    }
}
