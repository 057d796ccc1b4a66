/// Why a text is not an ``AccountName``. None of the cases holds the text.
public enum AccountNameError: Error, Sendable, Hashable, CaseIterable {
    /// There is no user id.
    case userIDEmpty
    /// The user id has more than 64 characters or more than 128 bytes of UTF-8.
    case userIDTooLong
    /// The user id holds a character that is not allowed: `@`, `/`, a control or direction character, or one that
    /// Unicode has not assigned.
    case userIDCharacter
    /// There is no domain.
    case domainEmpty
    /// The domain has more than 64 characters.
    case domainTooLong
    /// The domain holds something else than ASCII letters, digits, `.` and `-`.
    case domainCharacter
}
