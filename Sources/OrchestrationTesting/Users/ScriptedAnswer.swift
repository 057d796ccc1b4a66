public import Orchestration
internal import Primitives

/// What a ``ScriptedUser`` does at one prompt.
public struct ScriptedAnswer: Sendable {
    let act: @Sendable (Prompt) async throws -> UserInput

    /// Does whatever a test likes: waits, cancels, looks at the prompt.
    public init(_ act: @escaping @Sendable (Prompt) async throws -> UserInput) {
        self.act = act
    }

    /// Types a password.
    public static func password(_ text: String) -> ScriptedAnswer {
        ScriptedAnswer { _ in UserInput(SecretBytes(copying: text.utf8)) }
    }

    /// Agrees without a secret.
    public static let confirm = ScriptedAnswer { _ in .confirmed }

    /// Gives up.
    public static let abort = ScriptedAnswer { _ in throw UserAuthenticationError.aborted }

    /// Fails the method.
    public static let fail = ScriptedAnswer { _ in throw UserAuthenticationError.failed }
}
