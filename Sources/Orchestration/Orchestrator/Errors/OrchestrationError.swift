public import Primitives

/// An error of the SDK.
///
/// Flows, stores and key providers throw `OrchestrationError` or `CancellationError` and nothing else. Two errors are
/// equal when their codes are. Neither `description` nor ``message`` ever holds a password, a key, a code or other
/// data, so both are safe to log and to show.
public struct OrchestrationError: CodedError, Sendable {
    /// The kind of error, for programs.
    public let code: Code

    /// The error that caused this one, where there is one. It may come from code of the app: do not log it unread.
    public let underlying: (any Error)?

    /// The place in the source where the error was created.
    public let location: SourceLocation

    /// The party that has to act so that the error goes away.
    public var blame: Blame { code.blame }

    /// A constant English sentence for developers: what is wrong and, where it helps, what to do.
    public var message: String { code.message }

    /// Creates an error.
    ///
    /// - Parameters:
    ///   - code: The kind of error.
    ///   - underlying: The error that caused this one.
    ///   - fileID: The file of the caller; keep the default.
    ///   - line: The line of the caller; keep the default.
    public init(_ code: Code, underlying: (any Error)? = nil, fileID: String = #fileID, line: Int = #line) {
        self.code = code
        self.underlying = underlying
        location = SourceLocation(fileID: fileID, line: line)
    }
}

extension OrchestrationError {
    /// A kind of error. Later versions may add codes, so a `switch` over codes needs a `default`.
    public struct Code: Sendable, Hashable, CustomStringConvertible {
        let name: String

        /// The party that has to act so that an error of this code goes away.
        public let blame: Blame

        /// A constant English sentence for developers.
        public let message: String

        package init(_ name: String, _ blame: Blame, _ message: String) {
            self.name = name
            self.blame = blame
            self.message = message
        }

        /// The name of the code as it is spelled in Swift.
        public var description: String { name }

        /// Returns whether both codes have the same name.
        public static func == (a: Code, b: Code) -> Bool { a.name == b.name }

        /// Hashes the name alone.
        public func hash(into hasher: inout Hasher) { hasher.combine(name) }
    }
}
