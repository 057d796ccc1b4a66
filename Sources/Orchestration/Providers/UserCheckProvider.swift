/// A provider of biometric or face that only asks: it checks the user, and keeps no keys.
///
/// The SDK keeps the keys of the method in software, next to the data of the user: in the folder of a ``FileStore`` or
/// `KeychainStore`, or in memory for a ``MemoryStore``. For another store, give ``keepingKeys(in:)`` of the provider to
/// the orchestrator. The device states the protection `MethodProtection.software` to the platform, which takes the
/// method for possession unless its policy names software providers.
///
/// A provider whose system binds keys to the check is a ``MethodKeyProvider``.
public protocol UserCheckProvider: UserAuthenticationProvider {
    /// Checks the user once.
    ///
    /// A flow that is canceled, or whose approval request expires, continues without waiting for a check that does not
    /// return. A later result has no effect.
    ///
    /// - Parameter prompt: The question, with the texts of the app and what the user approves.
    /// - Throws: `CancellationError`, at once, when the task is canceled; ``UserAuthenticationError/livenessFailed`` when
    ///   the check finds no living person; any other error when it cannot check.
    func check(_ prompt: Prompt) async throws -> UserCheck
}

/// The result of one check of a ``UserCheckProvider``.
@nonexhaustive
public enum UserCheck: Sendable, Hashable, CaseIterable {
    /// The check recognized the user.
    case recognized
    /// The check did not recognize the user. Same as ``UserAuthenticationError/failed``.
    case notRecognized
    /// The user canceled. Same as ``UserAuthenticationError/aborted``.
    case canceled
    /// The check is locked, for example after too many failures. Same as ``UserAuthenticationError/unavailable``.
    case locked
}

extension UserCheckProvider {
    /// Returns after a check that recognized the user.
    ///
    /// - Throws: ``UserAuthenticationError`` for another result; the errors of the provider.
    func requireRecognized(_ prompt: Prompt) async throws {
        switch try await check(prompt) {
        case .recognized: return
        case .notRecognized: throw UserAuthenticationError.failed
        case .canceled: throw UserAuthenticationError.aborted
        case .locked: throw UserAuthenticationError.unavailable
        }
    }
}
