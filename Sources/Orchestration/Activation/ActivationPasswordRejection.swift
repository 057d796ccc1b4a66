/// Why an activation password was not taken.
public enum ActivationPasswordRejection: Sendable, Hashable {
    /// Not twelve characters, spaces and hyphens not counted. Found on the device; no try is spent.
    case wrongLength

    /// A character that no code has. Found on the device; no try is spent.
    ///
    /// - Parameter position: the place in what was typed, counted from 1.
    case invalidCharacter(position: Int)

    /// A mistyped character, or two that changed places. Found on the device; no try is spent.
    case wrongCheckCharacter

    /// The other side did not prove that it knows the code: the code is wrong, spent or expired, the user is another
    /// one, or the other side is not the platform. These cannot be told apart, on purpose.
    case notConfirmed

    /// This device has tried codes with this handle three times in vain; ask for a new one. A false platform gets one
    /// guess a run, so the number of runs is bounded (PROTOCOL §2).
    case triedTooOften
}
