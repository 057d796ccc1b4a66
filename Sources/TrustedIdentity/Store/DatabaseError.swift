public import Primitives

/// The reason why a database cannot be opened or closed, with SQLite and with PostgreSQL. What goes wrong while it is
/// open is a ``StoreError``.
public struct DatabaseError: CodedError, Sendable {
    /// The kinds of failure. More may come; a switch over them needs a default.
    public struct Code: Sendable, Hashable, CustomStringConvertible {
        private enum Kind: String {
            case address, inUse, newerSchema, noPlatform, unfinished, unsuitable, unreachable, corrupt, inaccessible
        }
        private let kind: Kind

        /// The address is not a URI of PostgreSQL, or it contains what it must not contain.
        public static let address = Code(kind: .address)
        /// Another process, or another value of this one, has the database open, and one of both needs it alone.
        public static let inUse = Code(kind: .inUse)
        /// The database was written by a newer version of this package, and this one must not change it.
        public static let newerSchema = Code(kind: .newerSchema)
        /// The database has no tables of this version, and the caller must not make any.
        package static let noPlatform = Code(kind: .noPlatform)
        /// A migration into the database has not ended.
        public static let unfinished = Code(kind: .unfinished)
        /// The server or the database has a setting with which a commit is not safe, or an encoding that is not UTF-8;
        /// the server is too old; the database is of another program, or takes no writes; or a pooler shares
        /// connections between transactions.
        public static let unsuitable = Code(kind: .unsuitable)
        /// The server cannot be reached, refuses the connection, or gives the role too few rights.
        public static let unreachable = Code(kind: .unreachable)
        /// The file is not a database, or its pages do not fit together. Only a backup helps.
        public static let corrupt = Code(kind: .corrupt)
        /// The file or its lock cannot be opened, created, read or written: permissions, a missing folder, a full disk.
        public static let inaccessible = Code(kind: .inaccessible)

        /// The name of the code as it is spelled in Swift.
        public var description: String { kind.rawValue }
    }

    /// The kind of failure.
    public let code: Code

    /// Always the environment: no caller and no peer can cause it.
    public var blame: Blame { .environment }

    /// A sentence that states what is wrong. It may name the server and a setting, and no secret.
    public let message: String

    /// The error of SQLite, of libpq or of the system, if there is one. It may name files, the role, the host and
    /// statements, never values.
    public let underlying: (any Error)?

    /// The place in the source where the error was made.
    public let location: SourceLocation

    package init(
        _ code: Code, _ message: String, underlying: (any Error)? = nil, fileID: String = #fileID, line: Int = #line
    ) {
        self.code = code
        self.message = message
        self.underlying = underlying
        location = SourceLocation(fileID: fileID, line: line)
    }

    /// The message.
    public var description: String { message }
}
