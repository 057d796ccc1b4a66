import Crypto
import OrchestrationTesting
import Primitives
import Synchronization

@testable import Orchestration

/// A finger of the user of a walk. The next check fails when the walk says so.
final class WalkFinger: MethodKeyProvider {
    private let keys = SoftwareMethodKeys(RecognizedUser(.biometric), folder: MemoryFolder())
    private let refusal = Mutex<UserAuthenticationError?>(nil)

    /// Sets the end of the next check; `nil` for a check that succeeds.
    func willRefuse(_ error: UserAuthenticationError?) { refusal.withLock { $0 = error } }

    var method: AuthenticationMethod { keys.method }
    var protection: MethodProtection { keys.protection }

    func availability() async -> Availability { await keys.availability() }

    func beginEnrollment(for name: StoreName, _ prompt: Prompt) async throws -> MethodEnrollment {
        try check()
        return try await keys.beginEnrollment(for: name, prompt)
    }

    func store(_ secret: SymmetricKey, handle: [UInt8]) async throws { try await keys.store(secret, handle: handle) }

    func open(handle: [UInt8], _ prompt: Prompt) async throws -> OpenedMethodKey {
        try check()
        return try await keys.open(handle: handle, prompt)
    }

    func deleteKey(handle: [UInt8]) async throws { try await keys.deleteKey(handle: handle) }

    func deleteKeys(of name: StoreName, except handle: [UInt8]?) async throws {
        try await keys.deleteKeys(of: name, except: handle)
    }

    private func check() throws {
        guard let error = refusal.withLock({ $0.take() }) else { return }
        throw error
    }
}
