public import Primitives

/// Why a SQLite store cannot be opened or used.
public struct SQLiteStoreError: Error, Sendable, CustomStringConvertible {
    /// What went wrong.
    public struct Code: Sendable, Hashable {
        private enum Value: Hashable { case inUse, newerSchema, corrupt, inaccessible }
        private let value: Value

        /// Another process, or another store of this one, has the database open.
        public static let inUse = Code(value: .inUse)
        /// The database was written by a newer version of this package, which this one must not touch.
        public static let newerSchema = Code(value: .newerSchema)
        /// The file is no database, or its pages do not fit together. Restore it from a backup.
        public static let corrupt = Code(value: .corrupt)
        /// The database or its lock cannot be opened, made, read or written: rights, a missing folder, a full disk.
        public static let inaccessible = Code(value: .inaccessible)
    }

    /// What went wrong.
    public let code: Code

    /// Always the environment: nothing of this is a caller's mistake or a peer's.
    public var blame: Blame { .environment }

    /// What happened, in constant words.
    public let message: String

    /// What SQLite or the system said, if anything. It names files and statements, never values.
    public let underlying: (any Error)?

    /// Where in the source the error was made.
    public let location: SourceLocation

    init(_ code: Code, _ message: String, underlying: (any Error)? = nil, fileID: String = #fileID, line: Int = #line) {
        self.code = code
        self.message = message
        self.underlying = underlying
        location = SourceLocation(fileID: fileID, line: line)
    }

    /// The message.
    public var description: String { message }
}

extension SQLiteStoreError: Equatable {
    /// Two errors are equal when their codes are.
    public static func == (a: SQLiteStoreError, b: SQLiteStoreError) -> Bool { a.code == b.code }
}
