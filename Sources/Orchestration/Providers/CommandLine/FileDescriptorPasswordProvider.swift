internal import Primitives
internal import Synchronization

/// A provider that reads passwords from an open descriptor, one on each line, for scripts: `--password-fd 3 3<file`.
///
/// A new password has one line; its confirmation is answered with the same line. A script cannot answer a refusal. The
/// provider then throws ``UserAuthenticationError/aborted``.
public final class FileDescriptorPasswordProvider: PasswordProvider {
    private let descriptor: Int32

    /// The chosen password, between the question and its confirmation.
    private let chosen = Mutex<UserInput?>(nil)

    /// Creates a provider. The caller closes the descriptor.
    ///
    /// - Parameter descriptor: The number of an open descriptor. A descriptor that is not open causes an error when it
    ///   is read.
    public init(descriptor: Int32) {
        self.descriptor = descriptor
    }

    /// Always available: a descriptor that is not open is an error, not a missing method.
    public func availability() async -> Availability { .available }

    /// Reads the next line, or answers a confirmation with the previous line.
    ///
    /// - Throws: `inputUnavailable` when the descriptor is not open or cannot be read, `invalidInput` at the end of the
    ///   input and for an empty line, and above 128 bytes, ``UserAuthenticationError/aborted`` when the previous answer
    ///   was refused, `CancellationError`.
    public func authenticate(_ prompt: Prompt) async throws -> UserInput {
        let previous = chosen.withLock { $0.take() }
        guard prompt.rejection == nil else { throw UserAuthenticationError.aborted }
        switch prompt.purpose {
        case .confirm, .confirmUpdate:
            if let previous { return previous }
            return try await readLine()
        case .enroll, .update:
            let line = try await readLine()
            guard let secret = line.takeSecret() else { throw OrchestrationError(.invalidInput) }
            let copy = UserInput(secret.copy())
            chosen.withLock { $0 = copy }
            return UserInput(secret)
        case .authenticate:
            return try await readLine()
        }
    }

    private func readLine() async throws -> UserInput {
        let descriptor = descriptor
        return try await BlockingRead.run { wakeUp in
            let line = try SecretLine.read(from: descriptor, keys: false, wakeUp: wakeUp)
            guard !line.isEmpty else { throw OrchestrationError(.invalidInput) }
            return UserInput(line)
        }
    }
}
