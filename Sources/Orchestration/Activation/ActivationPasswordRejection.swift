internal import Primitives

/// The reason why an activation password was not accepted.
@nonexhaustive
public enum ActivationPasswordRejection: Sendable, Hashable {
    /// The text does not have twelve characters, without spaces and hyphens. Detected on the device; no try is spent.
    case wrongLength

    /// The text has a character that no activation password has, at a position counted from 1. Detected on the device;
    /// no try is spent.
    case invalidCharacter(position: Int)

    /// A character is wrong, or two characters are exchanged. Detected on the device; no try is spent.
    case wrongCheckCharacter

    /// The platform did not prove that it knows the activation password: the password is wrong, spent or expired, the
    /// user is another one, or the peer is not the platform. These cases cannot be distinguished, by design.
    case notConfirmed

    /// This device has tried activation passwords with this handle three times in vain. Ask for a new one. The limit
    /// bounds the guesses of a false platform, which gets one in each run.
    case triedTooOften

    /// The text for the user. ``PromptCatalog`` returns it in the words of the app.
    public var textKey: PromptText {
        switch self {
        case .wrongLength: .activationPasswordLength
        case .invalidCharacter: .activationPasswordCharacter
        case .wrongCheckCharacter: .activationPasswordMistyped
        case .notConfirmed: .activationPasswordNotConfirmed
        case .triedTooOften: .activationPasswordTriedTooOften
        }
    }

    /// Every reason, with a sample where it has a value.
    package static let all: [ActivationPasswordRejection] = [
        .wrongLength, .invalidCharacter(position: 1), .wrongCheckCharacter, .notConfirmed, .triedTooOften,
    ]

    init(_ error: ActivationPasswordError) {
        self =
            switch error.code {
            case .wrongLength: .wrongLength
            case .invalidCharacter: .invalidCharacter(position: error.position ?? 0)
            case .wrongCheckCharacter: .wrongCheckCharacter
            }
    }
}
