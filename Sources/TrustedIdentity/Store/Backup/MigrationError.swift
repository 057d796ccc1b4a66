package import Primitives

/// The reason why a migration has not ended. The source is as before. The target stays as it is, and cannot be served.
package struct MigrationError: CodedError, Sendable {
    /// The kinds of failure. More may come; a switch over them needs a default.
    package struct Code: Sendable, Hashable, CustomStringConvertible {
        private enum Kind: String { case notEmpty, otherSource, different, failed }
        private let kind: Kind

        /// The target has rows that no migration has written. Nothing was changed.
        package static let notEmpty = Code(kind: .notEmpty)
        /// The target has rows of a migration of another source, or of this source before it was changed. Nothing was
        /// changed.
        package static let otherSource = Code(kind: .otherSource)
        /// A table does not have the same rows in both databases.
        package static let different = Code(kind: .different)
        /// The rows of a table cannot be read or written. The underlying error has the reason.
        package static let failed = Code(kind: .failed)

        /// The name of the code as it is spelled in Swift.
        package var description: String { kind.rawValue }
    }

    /// The kind of failure.
    package let code: Code
    /// The table; `nil` where the failure is not about one.
    package let table: String?
    /// The error of the database, if there is one.
    package let underlying: (any Error)?
    /// The place in the source where the error was created.
    package let location: SourceLocation

    /// Always the environment: no peer can cause it.
    package var blame: Blame { .environment }

    /// A sentence about the fault, with the name of the table.
    package var message: String {
        let table = table ?? ""
        return switch code {
        case .notEmpty: "the database has rows in the table \(table), which no migration has written"
        case .otherSource: "the database has rows of another source, or of this one before it was changed"
        case .different: "the table \(table) does not have the same rows in both databases"
        default: "the rows of the table \(table) cannot be copied"
        }
    }

    init(
        _ code: Code, table: String? = nil, underlying: (any Error)? = nil, fileID: String = #fileID, line: Int = #line
    ) {
        self.code = code
        self.table = table
        self.underlying = underlying
        location = SourceLocation(fileID: fileID, line: line)
    }
}
