#if PostgreSQL
    public import Primitives

    /// The reason why a PostgreSQL database cannot be used. What goes wrong while it is open is a `StoreError`.
    public struct PostgreSQLDatabaseError: CodedError, Sendable {
        /// The kinds of failure. More may come; a switch over them needs a default.
        public struct Code: Sendable, Hashable, CustomStringConvertible {
            private enum Kind: String { case address, inUse, newerSchema, unfinished, unsuitable, inaccessible }
            private let kind: Kind

            /// The address is no URI of PostgreSQL, or it has what it must not have.
            public static let address = Code(kind: .address)
            /// A process that needs the database for itself has it open, or this one needs it and others have it open.
            public static let inUse = Code(kind: .inUse)
            /// The database was written by a newer version of this package, and this one must not change it.
            public static let newerSchema = Code(kind: .newerSchema)
            /// A migration into the database has not ended.
            public static let unfinished = Code(kind: .unfinished)
            /// The server or the database has a setting with which a commit is not safe, or an encoding that is not UTF-8,
            /// or a pooler shares connections between transactions.
            public static let unsuitable = Code(kind: .unsuitable)
            /// The server cannot be reached, or it refuses the connection: address, password, certificate, rights.
            public static let inaccessible = Code(kind: .inaccessible)

            /// The name of the code as it is spelled in Swift.
            public var description: String { kind.rawValue }
        }

        /// The kind of failure.
        public let code: Code

        /// Always the environment: no caller and no peer can cause it.
        public var blame: Blame { .environment }

        /// A sentence that states what is wrong and what to do. It may name the server and a setting, and no secret.
        public let message: String

        /// The error of libpq, if there is one. It may name the role, the host and statements, never values.
        public let underlying: (any Error)?

        /// The place in the source where the error was made.
        public let location: SourceLocation

        init(
            _ code: Code, _ message: String, underlying: (any Error)? = nil, fileID: String = #fileID, line: Int = #line
        ) {
            self.code = code
            self.message = message
            self.underlying = underlying
            location = SourceLocation(fileID: fileID, line: line)
        }

        /// Creates the error of an opening that failed.
        init(_ error: any Error, at address: PostgreSQLAddress, fileID: String = #fileID, line: Int = #line) {
            switch error {
            case let error as PostgreSQLDatabaseError: self = error
            case let error as PostgreSQLFailure where error.state == "42501":
                self.init(
                    .inaccessible, "the role lacks a right in the database at \(address): \(error.message)",
                    underlying: error, fileID: fileID, line: line)
            case let error as PostgreSQLFailure:
                self.init(
                    .inaccessible, "the database at \(address) cannot be used: \(error.message)",
                    underlying: error, fileID: fileID, line: line)
            default:
                self.init(
                    .inaccessible, "the database at \(address) cannot be used", underlying: error, fileID: fileID,
                    line: line)
            }
        }

        /// The message.
        public var description: String { message }
    }
#endif
