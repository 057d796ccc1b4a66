/// Asks the user for one method of authentication: a keypad, a terminal, a fingerprint dialog.
///
/// The flow drives: it checks what it gets, and asks again with the reason in ``Prompt/rejection`` when a password is
/// weak or its confirmation differs. A provider answers one prompt at a time and keeps nothing of the answer. It should
/// use a keypad of its own, never the clipboard or a web view, mask what is typed, and hand the secret over in memory
/// that it wipes.
///
/// A password is its bytes. Nothing here brings two spellings of one text together, such as é as one character and as e
/// with an accent: that takes a string, and a string of a secret cannot be wiped. A provider whose keyboard may spell
/// one password in two ways hands over normalization form C (Unicode Standard Annex #15, as RFC 8265 §4.2 has it), at
/// every prompt alike. The default policy takes digits alone, which have one spelling.
public protocol UserAuthenticationProvider: Sendable {
    /// The method that this provider asks for.
    var method: AuthenticationMethod { get }

    /// Whether the user can be asked now. Called before each prompt; must not ask anything itself.
    func availability() async -> Availability

    /// Asks the user once.
    ///
    /// - Parameter prompt: what to ask and what to show.
    /// - Returns: the input, which the SDK wipes after use.
    /// - Throws: ``UserAuthenticationError/aborted`` when the user gives up, `CancellationError` when the task is
    ///   canceled (at once: a provider that blocks must watch for it), anything else when it cannot ask.
    func authenticate(_ prompt: Prompt) async throws -> UserInput
}

/// Whether a method can be used now.
public enum Availability: Sendable, Hashable {
    /// The user can be asked.
    case available
    /// The device could, but the user has not set the method up.
    case notEnrolled
    /// The device cannot: no such sensor, no terminal, locked out.
    case unavailable
}

/// Why a provider has no input.
public enum UserAuthenticationError: Error, Sendable, Hashable {
    /// The user gave up. The flow ends with `.aborted`.
    case aborted
    /// The user failed the method, for example a finger that was not recognized. The flow falls back or ends.
    case failed
}
