public import Primitives

/// The reason why a file is not an exported audit log that a restore can apply, or not a file of pruned entries.
/// Nothing was changed.
public struct AuditFileError: CodedError, Sendable {
    /// The kinds of error. More may come; a switch over them needs a default.
    public struct Code: Sendable, Hashable, CustomStringConvertible {
        /// The name of the code, as it is spelled in Swift.
        public let description: String
        fileprivate let message: String

        private init(_ name: StaticString, _ message: StaticString) {
            description = name.description
            self.message = message.description
        }

        /// The last line is missing or incomplete: the file was cut off, or is something else.
        public static let cutOff = Self("cutOff", "the file has no complete last line: it was cut off")
        /// The HMAC is wrong, or a line is not a line of an exported audit log.
        public static let altered = Self("altered", "the file was changed after the export")
        /// The file belongs to a platform with another tenant or other data keys.
        public static let otherPlatform = Self("otherPlatform", "the file is of another platform")
        /// The file and the restored data have no entry in common, or the file ends where the data ends or earlier. It
        /// contains nothing about the time between the backup and the restore.
        public static let notCovering = Self(
            "notCovering", "the file does not cover the time after the backup: use an export that was made later")
        /// The file is an export of the audit log, and not a file of pruned entries.
        public static let notPruned = Self("notPruned", "the file is not one of pruned entries")
        /// None of the caller's keys has signed the file's checkpoint, or the file's entries do not match the
        /// checkpoint.
        public static let notSigned = Self(
            "notSigned", "the entries of the file are not those that an audit key of this platform has signed")
        /// The file does not follow the previous one.
        public static let notFollowing = Self(
            "notFollowing", "the file does not begin where the one before it ends")
        /// The file was written by a newer version of this program.
        public static let newerVersion = Self(
            "newerVersion", "the file was written by a newer version of this program: restore with that version")
    }

    /// The kind of error.
    public let code: Code
    /// The source location where the error was created.
    public let location: SourceLocation
    /// The line number in the file, from 1, for a line that is not in its canonical form; `nil` for the file as a
    /// whole.
    public let fileLine: Int?
    /// Always the caller, who named the file.
    public var blame: Blame { .caller }
    /// A sentence about the fault and, where useful, the recovery. It contains no content of the file. It ends with
    /// ``fileLine`` if there is one.
    public var message: String { fileLine.map { "\(code.message), in line \($0)" } ?? code.message }

    init(_ code: Code, fileLine: Int? = nil, fileID: String = #fileID, line: Int = #line) {
        self.code = code
        self.fileLine = fileLine
        location = SourceLocation(fileID: fileID, line: line)
    }
}
