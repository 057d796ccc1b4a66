internal import Primitives

extension OrchestrationError.Code {
    /// There is nothing to read the user's input from: no terminal, or a descriptor that is not open.
    public static let inputUnavailable = Self(
        "inputUnavailable", .environment, "there is no terminal or open descriptor to read from")

    /// The input was empty where a secret is needed.
    public static let inputEmpty = Self("inputEmpty", .user, "the input was empty")

    /// The input was longer than 128 bytes.
    public static let inputTooLong = Self("inputTooLong", .user, "the input was longer than 128 bytes")
}
