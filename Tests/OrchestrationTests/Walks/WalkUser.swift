import Orchestration
import Primitives
import Synchronization

/// A user who knows the password and makes mistakes.
final class WalkUser: PasswordProvider {
    /// The frequencies of mistakes, in percent of the prompts.
    struct Weakness: Sendable {
        /// Chooses a password that every policy refuses.
        var choosesBadly = 4
        /// Confirms another password.
        var confirmsWrongly = 4
        /// Types a wrong password.
        var mistypes = 0
        /// Cancels.
        var givesUp = 2
        /// Ends the app.
        var leaves = 2
    }

    let method = AuthenticationMethod.password
    private let password: String
    private let chance: Chance
    private let trace: WalkTrace
    private let weakness: Mutex<Weakness>

    init(password: String, chance: Chance, trace: WalkTrace, weakness: Weakness) {
        self.password = password
        self.chance = chance
        self.trace = trace
        self.weakness = Mutex(weakness)
    }

    func change(_ weakness: Weakness) { self.weakness.withLock { $0 = weakness } }

    func availability() async -> Availability { .available }

    func authenticate(_ prompt: Prompt) async throws -> UserInput {
        let weakness = weakness.withLock { $0 }
        if chance.happens(weakness.leaves) {
            trace.add("user ends the app at a prompt")
            throw CancellationError()
        }
        if chance.happens(weakness.givesUp) {
            trace.add("user gives up at a prompt")
            throw UserAuthenticationError.aborted
        }
        switch prompt.purpose {
        case .enroll, .update:
            return typed(chance.happens(weakness.choosesBadly) ? "111111" : password)
        case .confirm, .confirmUpdate:
            return typed(chance.happens(weakness.confirmsWrongly) ? "739152" : password)
        case .authenticate:
            guard chance.happens(weakness.mistypes) else { return typed(password) }
            trace.add("user mistypes")
            return typed("739152")
        }
    }

    private func typed(_ text: String) -> UserInput { UserInput(SecretBytes(copying: text.utf8)) }
}
