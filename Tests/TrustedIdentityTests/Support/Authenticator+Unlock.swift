import OrchestrationProtocol
import Primitives

@testable import TrustedIdentity

extension Authenticator {
    /// The message that sends an unlock code.
    func unlock(_ code: String) throws -> RequestBody {
        let code = try ActivationPassword(parsing: code)
        return .unlock(
            handle: code.handle, secret: MessageSecret(code.secret.copy()), generation: generation)
    }

    /// Sends an unlock code.
    ///
    /// - Returns: The offer.
    func offeredUnlock(_ code: String, by harness: Harness) async throws -> UnlockMessage.Answer? {
        guard case .accepted(let body) = try await send(unlock(code), to: harness).result else { return nil }
        return body.answer(to: UnlockMessage.self)
    }

    /// Takes the offer of an unlock, as a device that stores its new password does.
    func take(_ offer: UnlockMessage.Answer) {
        passwordSecret = offer.secret.key
        generation = offer.generation
    }

    /// Sends wrong passwords until the platform locks the device.
    func lock(at harness: Harness) async throws {
        while try await send(.passwordProve, proof: .password, wrong: true, to: harness).refusal == .wrongPassword {}
    }
}

extension Harness {
    /// Issues an unlock code for a device of a user.
    func unlockCode(_ user: String = alice, device: [UInt8]? = nil) async throws -> String {
        try await platform.issueUnlockCode(for: Self.account(user), device: device).code
    }
}
