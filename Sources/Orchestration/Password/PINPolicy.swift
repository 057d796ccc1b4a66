/// The form that a password must have. The platform issues it at activation; the device enforces the form, the
/// platform counts the tries.
public struct PINPolicy: Sendable, Hashable {
    /// The least number of characters, 4 to 64.
    public let minimumLength: Int

    /// The greatest number of characters, from ``minimumLength`` to 64.
    public let maximumLength: Int

    /// Whether only the digits 0 to 9 are taken.
    public let digitsOnly: Bool

    /// How many wrong passwords in a row the platform takes before it locks, 3 to 5.
    public let tries: Int

    /// 6 to 12 digits, 5 tries.
    public static let `default` = PINPolicy(
        checkedMinimumLength: 6, maximumLength: 12, digitsOnly: true, tries: 5)

    /// Takes the policy of a platform.
    ///
    /// - Returns: `nil` when a value is outside its limits.
    public init?(minimumLength: Int, maximumLength: Int, digitsOnly: Bool, tries: Int) {
        guard (4...64).contains(minimumLength), (minimumLength...64).contains(maximumLength), (3...5).contains(tries)
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
