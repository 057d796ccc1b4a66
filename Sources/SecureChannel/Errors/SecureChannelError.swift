package import Primitives

/// What the activation exchange and the channel refuse, and why.
///
/// Two errors are equal when their codes are; the message is a constant and holds nothing of what was refused.
package struct SecureChannelError: Error, Sendable {
    /// The kind of refusal.
    package let code: Code

    /// Who has to act.
    package let blame: Blame

    /// One sentence for a developer, the same for every input.
    package let message: String

    /// What another module said, where there was something.
    package let underlying: (any Error)?

    /// Where it was made.
    package let location: SourceLocation

    package init(
        _ code: Code, blame: Blame, _ message: StaticString, underlying: (any Error)? = nil,
        fileID: String = #fileID, line: Int = #line
    ) {
        self.code = code
        self.blame = blame
        self.message = message.description
        self.underlying = underlying
        self.location = SourceLocation(fileID: fileID, line: line)
    }
}

extension SecureChannelError: Hashable {
    package static func == (a: SecureChannelError, b: SecureChannelError) -> Bool { a.code == b.code }
    package func hash(into hasher: inout Hasher) { hasher.combine(code) }
}

extension SecureChannelError: CustomStringConvertible, CustomDebugStringConvertible {
    /// Code, message and place. Never the underlying error's text: another module's promise about it is not ours.
    package var description: String { "\(code): \(message) (\(location))" }
    package var debugDescription: String { description }
}
