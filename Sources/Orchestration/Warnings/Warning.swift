/// Something the app or the user should know that does not stop a flow (requirements B8, C2).
///
/// Two warnings are equal when their codes are.
public struct Warning: Sendable {
    /// What it is about.
    public let code: Code

    /// A constant English sentence for logs. It never holds a secret or a name.
    public let message: String

    /// The error behind the warning, where there is one.
    public let cause: OrchestrationError?

    init(_ code: Code, cause: OrchestrationError? = nil) {
        self.code = code
        self.message = code.message
        self.cause = cause
    }
}

extension Warning: Hashable {
    /// Equal on the code alone.
    public static func == (a: Warning, b: Warning) -> Bool { a.code == b.code }

    /// Hashes the code alone.
    public func hash(into hasher: inout Hasher) { hasher.combine(code) }
}

extension Warning: CustomStringConvertible {
    /// The name of the code and the sentence: safe to log and to show.
    public var description: String { "\(code): \(message)" }
}
