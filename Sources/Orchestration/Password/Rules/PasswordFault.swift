/// A rule that a chosen password breaks. It reveals nothing of the password beyond the rule.
@nonexhaustive
public enum PasswordFault: Sendable, Hashable, CustomStringConvertible {
    /// The password has fewer characters than the policy requires.
    case tooShort(minimum: Int)
    /// The password has more characters than the policy allows.
    case tooLong(maximum: Int)
    /// The password has characters other than digits, and the policy allows only digits.
    case notDigits
    /// The password is not UTF-8, or contains a control character.
    case invalidText
    /// All neighbors differ by the same step: repeated digits, or runs up and down.
    case constantStep
    /// A short pattern repeats, or the password reads the same backward: 1212, 123123, 1221.
    case repetition
    /// The password is a date.
    case date
    /// The password is a line or figure on a keypad.
    case keypadLine
    /// The password is one of the most used ones.
    case common
    /// The new password is the current one.
    case unchanged

    /// The name of the rule.
    public var description: String {
        switch self {
        case .tooShort: "tooShort"
        case .tooLong: "tooLong"
        case .notDigits: "notDigits"
        case .invalidText: "invalidText"
        case .constantStep: "constantStep"
        case .repetition: "repetition"
        case .date: "date"
        case .keypadLine: "keypadLine"
        case .common: "common"
        case .unchanged: "unchanged"
        }
    }

    /// The text for the user. ``PromptCatalog`` returns it in the words of the app.
    package var textKey: PromptText {
        switch self {
        case .tooShort: .tooShort
        case .tooLong: .tooLong
        case .notDigits: .notDigits
        case .invalidText: .invalidText
        case .constantStep, .repetition, .date, .keypadLine, .common: .weak
        case .unchanged: .unchangedPassword
        }
    }

    /// Every rule, with a sample where it has a value.
    package static let all: [PasswordFault] = [
        .tooShort(minimum: 6), .tooLong(maximum: 12), .notDigits, .invalidText, .constantStep, .repetition, .date,
        .keypadLine, .common, .unchanged,
    ]

    /// The number of characters of a rule about the length.
    var count: Int? {
        switch self {
        case .tooShort(let count), .tooLong(let count): count
        case .notDigits, .invalidText, .constantStep, .repetition, .date, .keypadLine, .common, .unchanged: nil
        }
    }
}
