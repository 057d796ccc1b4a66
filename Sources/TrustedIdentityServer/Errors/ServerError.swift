public import Primitives

/// Why a server cannot serve.
public struct ServerError: Error, Sendable, CustomStringConvertible {
    /// What went wrong.
    public struct Code: Sendable, Hashable {
        private enum Value: Hashable { case cannotListen }
        private let value: Value

        /// The address is taken, is not ours, or may not be used by this user.
        public static let cannotListen = Code(value: .cannotListen)
    }

    /// What went wrong.
    public let code: Code

    /// The address is whoever's who chose it.
    public var blame: Blame { .environment }

    /// What happened, in constant words.
    public var message: String { "the address cannot be listened on" }

    /// What the system said.
    public let underlying: (any Error)?

    /// Where in the source the error was made.
    public let location: SourceLocation

    init(_ code: Code, underlying: (any Error)? = nil, fileID: String = #fileID, line: Int = #line) {
        self.code = code
        self.underlying = underlying
        location = SourceLocation(fileID: fileID, line: line)
    }

    /// The message, and the underlying error where there is one: it holds an address and an error number.
    public var description: String { underlying.map { "\(message) (\($0))" } ?? message }
}

extension ServerError: Equatable {
    /// Two errors are equal when their codes are.
    public static func == (a: ServerError, b: ServerError) -> Bool { a.code == b.code }
}
