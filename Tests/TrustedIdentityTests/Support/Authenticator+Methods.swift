import Crypto
import OrchestrationProtocol
import Primitives
import Testing

@testable import TrustedIdentity

/// The keys of an enrolled method on a device.
struct MethodKeys {
    let key: P256.Signing.PrivateKey
    let secret: SymmetricKey
}

extension Authenticator {
    /// Returns the secret of an instance. A method that is not enrolled has a random one.
    func secret(of instance: Instance) -> SymmetricKey {
        switch instance {
        case .password: passwordSecret
        case .possession: secrets.possessionInstance
        case .biometric, .face: methods[instance.method]?.secret ?? SymmetricKey(size: .bits256)
        }
    }

    /// Signs a registration.
    ///
    /// - Parameters:
    ///   - signer: The key that signs; `nil` for the one in the registration.
    ///   - device: The device in the registration; `nil` for this one.
    func registration(
        of method: AuthenticationMethod, _ protection: MethodProtection = .system, key: P256.Signing.PrivateKey,
        signer: P256.Signing.PrivateKey? = nil, device: [UInt8]? = nil
    ) async throws -> Sign1 {
        let content = MethodRegistrationContent(
            deviceID: device ?? id, method: method, protection: protection,
            key: Array(key.publicKey.compressedRepresentation))
        return try await content.signed { Array(try (signer ?? key).signature(for: $0).rawRepresentation) }
    }

    /// Registers a method, and keeps its keys.
    @discardableResult
    func enroll(
        _ method: AuthenticationMethod, _ protection: MethodProtection = .system,
        key: P256.Signing.PrivateKey = .init(compactRepresentable: false), with harness: Harness
    ) async throws -> AnswerMessage {
        let registration = try await registration(of: method, protection, key: key)
        let answer = try await send(.methodRegister(registration), proof: .password, to: harness)
        if case .accepted(let body) = answer.result, let secret = body.answer(to: MethodRegisterMessage.self)?.secret {
            methods[method] = MethodKeys(key: key, secret: secret.key)
        }
        return answer
    }
}
