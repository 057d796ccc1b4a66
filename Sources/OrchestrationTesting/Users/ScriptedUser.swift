public import Orchestration
internal import Synchronization

/// A user that answers prompts from a script, and remembers what they were asked.
///
/// ```swift
/// let careless = ScriptedUser([.password("111111"), .password("482915"), .password("482915")])
/// let alice = ScriptedUser(password: "482915")        // says the same for ever
/// ```
///
/// A script that runs out throws ``ScriptExhausted``: a test notices that the flow asked once more than it thought.
public final class ScriptedUser: UserAuthenticationProvider {
    /// The method that the user is asked for by way of this provider.
    public let method: AuthenticationMethod

    private let script: Mutex<Script>

    private struct Script {
        var answers: ArraySlice<ScriptedAnswer>
        /// What is said when the script is over.
        let standing: ScriptedAnswer?
        var prompts: [Prompt] = []
        var availability = Availability.available
    }

    /// A user with one answer for each prompt.
    ///
    /// - Parameters:
    ///   - answers: what the user does at the first prompt, the second, and so on.
    ///   - method: the method that the user is asked for.
    public init(_ answers: [ScriptedAnswer], method: AuthenticationMethod = .password) {
        self.method = method
        script = Mutex(Script(answers: answers[...], standing: nil))
    }

    /// A user who types the same password at every prompt.
    public init(password: String) {
        method = .password
        script = Mutex(Script(answers: [], standing: .password(password)))
    }

    /// The prompts so far, in order.
    public var prompts: [Prompt] {
        script.withLock { $0.prompts }
    }

    /// Puts more answers at the end of the script.
    public func append(_ answers: ScriptedAnswer...) {
        script.withLock { $0.answers.append(contentsOf: answers) }
    }

    /// Sets what ``availability()`` says from now on. It is `Availability.available` before.
    public func setAvailability(_ availability: Availability) {
        script.withLock { $0.availability = availability }
    }

    /// What the test has set.
    public func availability() async -> Availability {
        script.withLock { $0.availability }
    }

    /// Does what the script says next.
    public func authenticate(_ prompt: Prompt) async throws -> UserInput {
        let answer = script.withLock { script in
            script.prompts.append(prompt)
            return script.answers.popFirst() ?? script.standing
        }
        guard let answer else { throw ScriptExhausted() }
        return try await answer.act(prompt)
    }
}

/// A flow asked for more than the script of a ``ScriptedUser`` has.
public struct ScriptExhausted: Error, Sendable {}
