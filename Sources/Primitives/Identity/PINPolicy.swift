/// The rules for the form of a password, and the number of wrong passwords before a lock.
///
/// The platform issues the policy at activation. The device enforces the form, and the platform counts the tries.
public struct PINPolicy: Sendable, Hashable {
    /// The lengths that a policy may name, in characters.
    public static let lengths = 4...64

    /// The numbers of tries that a policy may name.
    public static let numbersOfTries = 3...5

    /// The minimum number of characters, 4 to 64.
    public let minimumLength: Int

    /// The maximum number of characters, from ``minimumLength`` to 64.
    public let maximumLength: Int

    /// Whether a password contains only the digits 0 to 9.
    public let digitsOnly: Bool

    /// The number of wrong passwords in a row after which the platform locks the password, 3 to 5.
    public let tries: Int

    /// 6 to 12 digits, 5 tries.
    public static let `default` = PINPolicy(
        checkedMinimumLength: 6, maximumLength: 12, digitsOnly: true, tries: 5)

    /// Creates a policy.
    ///
    /// - Parameters:
    ///   - minimumLength: The minimum number of characters, 4 to 64.
    ///   - maximumLength: The maximum number of characters, from `minimumLength` to 64.
    ///   - digitsOnly: Whether a password contains only the digits 0 to 9.
    ///   - tries: The number of wrong passwords in a row before a lock, 3 to 5.
    /// - Returns: `nil` when a value is outside its limits.
    public init?(minimumLength: Int = 6, maximumLength: Int = 12, digitsOnly: Bool = true, tries: Int = 5) {
        guard
            Self.lengths.contains(minimumLength), Self.lengths.contains(maximumLength), minimumLength <= maximumLength,
            Self.numbersOfTries.contains(tries)
        else { return nil }
        self.init(
            checkedMinimumLength: minimumLength, maximumLength: maximumLength, digitsOnly: digitsOnly, tries: tries)
    }

    private init(checkedMinimumLength: Int, maximumLength: Int, digitsOnly: Bool, tries: Int) {
        minimumLength = checkedMinimumLength
        self.maximumLength = maximumLength
        self.digitsOnly = digitsOnly
        self.tries = tries
    }
}
