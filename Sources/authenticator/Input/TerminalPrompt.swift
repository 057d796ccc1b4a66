import ArgumentParser
import Orchestration
import Primitives

/// Asks for a secret at the terminal, without showing what is typed.
enum TerminalPrompt {
    /// The longest line, in bytes: more than the longest key in hexadecimal.
    private static let limit = 4096

    static func read(_ prompt: String, option: String) throws -> SecretBytes {
        do {
            let line = try TerminalQuestion.ask("\(prompt): ", limit: limit)
            guard !line.isEmpty else { throw ValidationError("the secret is empty") }
            return line
        } catch is UserAuthenticationError {
            throw ExitCode(3)
        } catch let error as OrchestrationError {
            throw ValidationError(
                error.code == .inputTooLong
                    ? "the secret is too long"
                    : "there is no terminal to ask for the secret at; give it with \(option)")
        }
    }
}
