internal import CSQLite
public import Primitives

/// The reason why a SQLite database cannot be opened or closed. What goes wrong while it is open is a
/// `StoreError`.
public struct SQLiteDatabaseError: CodedError, Sendable {
    /// The kinds of failure. More may come; a switch over them needs a default.
    public struct Code: Sendable, Hashable, CustomStringConvertible {
        private enum Kind: String { case inUse, newerSchema, corrupt, inaccessible }
        private let kind: Kind

        /// Another process, or another store of this one, has the database open.
        public static let inUse = Code(kind: .inUse)
        /// The database was written by a newer version of this package, and this one must not change it.
        public static let newerSchema = Code(kind: .newerSchema)
        /// The file is not a database, or its pages do not fit together. Only a backup helps.
        public static let corrupt = Code(kind: .corrupt)
        /// The database or its lock file cannot be opened, created, read or written: permissions, a missing folder, a
        /// full disk.
        public static let inaccessible = Code(kind: .inaccessible)

        /// The name of the code as it is spelled in Swift.
        public var description: String { kind.rawValue }
    }

    /// The kind of failure.
    public let code: Code

    /// Always the environment: no caller and no peer can cause it.
    public var blame: Blame { .environment }

    /// A constant sentence that says what is wrong.
    public let message: String

    /// The error of SQLite or of the system, if there is one. It may name files and statements, never values.
    public let underlying: (any Error)?

    /// The place in the source where the error was made.
    public let location: SourceLocation

    init(_ code: Code, _ message: String, underlying: (any Error)? = nil, fileID: String = #fileID, line: Int = #line) {
        self.code = code
        self.message = message
        self.underlying = underlying
        location = SourceLocation(fileID: fileID, line: line)
    }

    /// Creates the error of an opening or closing that failed.
    init(_ error: any Error, fileID: String = #fileID, line: Int = #line) {
        if let error = error as? SQLiteDatabaseError {
            self = error
            return
        }
        let failure = (error as? SQLiteFailure).map { StoreError($0) }
        if failure?.code == .corrupt {
            self.init(.corrupt, Self.damaged, underlying: error, fileID: fileID, line: line)
        } else {
            self.init(.inaccessible, "the database cannot be used", underlying: error, fileID: fileID, line: line)
        }
    }

    static let damaged = "the database is damaged: restore it from a backup"

    /// The message.
    public var description: String { message }
}

extension StoreError {
    /// Creates the error of a statement or commit that failed, of the kind that SQLite's result code says.
    init(_ error: SQLiteFailure, fileID: String = #fileID, line: Int = #line) {
        self.init(
            Code(resultCode: error.code), resultCode: "\(error.code)", underlying: error,
            fileID: fileID, line: line)
    }
}

extension StoreError.Code {
    /// Creates the kind of an extended result code (<https://sqlite.org/rescode.html>).
    init(resultCode: CInt) {
        self =
            switch (resultCode, resultCode & 0xFF) {
            case (SQLITE_IOERR | (33 << 8), _): .corrupt  // SQLITE_IOERR_CORRUPTFS
            case (_, SQLITE_FULL): .full
            case (_, SQLITE_IOERR), (_, SQLITE_CANTOPEN), (_, SQLITE_READONLY), (_, SQLITE_PERM): .inputOutput
            case (_, SQLITE_BUSY), (_, SQLITE_LOCKED): .busy
            case (_, SQLITE_CORRUPT), (_, SQLITE_NOTADB): .corrupt
            default: .other
            }
    }
}
