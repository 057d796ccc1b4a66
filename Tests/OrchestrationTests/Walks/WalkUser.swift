import Orchestration
import Primitives
import Synchronization

/// A user who knows their password, and is human.
final class WalkUser: UserAuthenticationProvider {
    /// How the user errs, in so many of a hundred prompts.
    struct Weakness: Sendable {
        /// Chooses something that no policy takes.
        var choosesBadly = 4
        /// Confirms something else.
        var confirmsWrongly = 4
        /// Types another password where the right one is asked for.
        var mistypes = 0
        /// Gives up.
        var givesUp = 2
        /// Ends the app.
        var leaves = 2
    }

    let method = AuthenticationMethod.password
    private let password: String
    private let fate: Fate
    private let trace: WalkTrace
    private let weakness: Mutex<Weakness>

    init(password: String, fate: Fate, trace: WalkTrace, weakness: Weakness) {
        self.password = password
        self.fate = fate
        self.trace = trace
        self.weakness = Mutex(weakness)
    }

    func change(_ weakness: Weakness) { self.weakness.withLock { $0 = weakness } }

    func availability() async -> Availability { .available }

    func authenticate(_ prompt: Prompt) async throws -> UserInput {
        let weakness = weakness.withLock { $0 }
        if fate.happens(weakness.leaves) {
            trace.add("user ends the app at a prompt")
            throw CancellationError()
        }
        if fate.happens(weakness.givesUp) {
            trace.add("user gives up at a prompt")
            throw UserAuthenticationError.aborted
        }
        switch prompt.purpose {
        case .enroll, .update:
            return typed(fate.happens(weakness.choosesBadly) ? "111111" : password)
        case .confirm, .confirmUpdate:
            return typed(fate.happens(weakness.confirmsWrongly) ? "739152" : password)
        case .authenticate:
            guard fate.happens(weakness.mistypes) else { return typed(password) }
            trace.add("user mistypes")
            return typed("739152")
        }
    }

    private func typed(_ text: String) -> UserInput { UserInput(SecretBytes(copying: text.utf8)) }
}
