/// What is wrong with a password that the user chose. It says nothing about the password beyond the rule.
public enum PasswordFault: Sendable, Hashable, CustomStringConvertible {
    /// Fewer characters than the policy asks for.
    case tooShort(minimum: Int)
    /// More characters than the policy allows.
    case tooLong(maximum: Int)
    /// Something else than a digit where the policy takes digits only.
    case notDigits
    /// Not UTF-8, or with a control character.
    case invalidText
    /// All neighbours differ by the same step: repeated digits, runs up and down.
    case constantStep
    /// A short pattern over and over, or the same backwards: 1212, 123123, 1221.
    case repetition
    /// A day of the calendar.
    case date
    /// A line or figure on a keypad.
    case keypadLine
    /// One of the most used ones.
    case common

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
        }
    }
}
