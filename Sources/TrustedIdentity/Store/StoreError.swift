public import Primitives

/// The failure of a ``SQLDatabase``: nothing was written, or nothing could be read.
///
/// A store throws it for everything that goes wrong below it. The platform logs the kind of failure, which tells an
/// operator what to do. Two errors are equal when their codes are. The message and the result code may be logged;
/// the underlying error may name files and statements and is for a debugger.
public struct StoreError: CodedError, Sendable {
    /// The kinds of failure. More may come; a switch over them needs a default.
    public struct Code: Sendable, Hashable, CustomStringConvertible {
        private enum Kind: String { case full, inputOutput, busy, overloaded, corrupt, other }
        private let kind: Kind

        /// There is no space left for the data or its journal.
        public static let full = Code(kind: .full)
        /// The storage cannot be read, written or synced, or its files cannot be opened.
        public static let inputOutput = Code(kind: .inputOutput)
        /// Another connection holds a lock. The same call can succeed later.
        public static let busy = Code(kind: .busy)
        /// More waits to be written than the store takes, or it has waited too long. The same call can succeed later.
        public static let overloaded = Code(kind: .overloaded)
        /// The data is damaged, or a row does not fit the schema. Only a backup helps.
        public static let corrupt = Code(kind: .corrupt)
        /// Anything else: a violated constraint, a closed store, an error of the implementation.
        public static let other = Code(kind: .other)

        /// The name of the code as it is spelled in Swift.
        public var description: String { kind.rawValue }

        /// A constant sentence that says what is wrong and what to do.
        fileprivate var message: String {
            switch kind {
            case .full: "there is no space left for the store: free some and try again"
            case .inputOutput: "the store cannot be read or written: check the disk or the server, and the rights"
            case .busy: "the store is locked by another connection: try again"
            case .overloaded: "the store has too much to write: try again later"
            case .corrupt: "the store is damaged: restore it from a backup"
            case .other: "the store failed"
            }
        }
    }

    /// The kind of failure.
    public let code: Code

    /// The code that the database gave, for logs: the extended result code of SQLite or the SQLSTATE of PostgreSQL; nil
    /// if there is none.
    public let resultCode: String?

    /// The error of the database or of the system, if there is one.
    public let underlying: (any Error)?

    /// The place in the source where the error was made.
    public let location: SourceLocation

    /// Always the environment: no caller and no peer can cause or repair it.
    public var blame: Blame { .environment }

    /// Whether the same call can succeed later without a repair.
    public var isRetryable: Bool { code == .busy || code == .overloaded }

    /// A constant sentence that says what is wrong and what to do.
    public var message: String { code.message }

    /// Creates an error.
    ///
    /// - Parameters:
    ///   - code: The kind of failure.
    ///   - resultCode: The code that the database gave, if any.
    ///   - underlying: The error of the database or of the system, if any.
    ///   - fileID: The file of the call; keep the default.
    ///   - line: The line of the call; keep the default.
    public init(
        _ code: Code, resultCode: String? = nil, underlying: (any Error)? = nil, fileID: String = #fileID,
        line: Int = #line
    ) {
        self.code = code
        self.resultCode = resultCode
        self.underlying = underlying
        location = SourceLocation(fileID: fileID, line: line)
    }

    /// The code, its message and the result code.
    public var description: String { "\(code): \(text)" }

    /// The message and the result code.
    package var text: String { message + (resultCode.map { " (result code \($0))" } ?? "") }
}
