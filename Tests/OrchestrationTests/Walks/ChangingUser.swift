import Orchestration
import Primitives
import Synchronization

/// A user who changes from one password to another, with mistakes that cost nothing, and with wrong passwords where the
/// walk counts them.
final class ChangingUser: PasswordProvider {
    /// The passwords of a user, and what happens at the questions.
    struct Knowledge: Sendable {
        var present = ""
        var next = ""
        /// The number of wrong passwords that are typed instead of the current one.
        var wrong = 0
        /// Whether the user gives up after the wrong passwords.
        var givesUp = false
        /// Runs once, at one of the questions.
        var between: (@Sendable () async -> Void)?
    }

    /// A password that is never the current one.
    static let wrongPassword = "739152"

    let method = AuthenticationMethod.password
    private let chance: Chance
    private let knowledge = Mutex(Knowledge())

    init(chance: Chance) { self.chance = chance }

    func know(_ knowledge: Knowledge) { self.knowledge.withLock { $0 = knowledge } }

    /// Learns the current password, which another process has changed.
    func learn(present: String) { knowledge.withLock { $0.present = present } }

    func availability() async -> Availability { .available }

    func authenticate(_ prompt: Prompt) async throws -> UserInput {
        if chance.happens(3) { throw UserAuthenticationError.aborted }
        if chance.happens(3) { throw CancellationError() }
        let (now, isWrong) = knowledge.withLock { state in
            let isNow = prompt.purpose == .confirmUpdate || chance.draw(0...1) == 0
            let isWrong = prompt.purpose == .authenticate && state.wrong > 0
            let now = state
            if isWrong { state.wrong -= 1 }
            if isNow { state.between = nil }
            return (isNow ? now : Knowledge(present: now.present, next: now.next, givesUp: now.givesUp), isWrong)
        }
        await now.between?()
        let text: String
        switch prompt.purpose {
        case .update: text = chance.happens(4) ? chance.pick([now.present, "111111"]) : now.next
        case .confirmUpdate: text = chance.happens(4) ? Self.wrongPassword : now.next
        case .enroll, .confirm, .authenticate:
            guard isWrong || !now.givesUp else { throw UserAuthenticationError.aborted }
            text = isWrong ? Self.wrongPassword : now.present
        }
        return UserInput(SecretBytes(copying: text.utf8))
    }
}
