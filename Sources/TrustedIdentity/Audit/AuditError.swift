public import Primitives

/// The reason why a file of the audit log or a checkpoint is refused, or why entries are not pruned. Nothing was
/// changed.
public struct AuditError: CodedError, Sendable {
    /// The kinds of error. More may come; a switch over them needs a default.
    public struct Code: Sendable, Hashable, CustomStringConvertible {
        /// The name of the code, as it is spelled in Swift.
        public let description: String
        fileprivate let message: String

        private init(_ name: StaticString, _ message: StaticString) {
            description = name.description
            self.message = message.description
        }

        // Files of an export and of pruned entries.

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
            "notFollowing", "the file does not begin where the previous file ends")
        /// The file was written by a newer version of this program.
        public static let newerVersion = Self(
            "newerVersion", "the file was written by a newer version of this program: restore with that version")

        // Pruning.

        /// The time is in the future.
        public static let futureTime = Self("futureTime", "the date is in the future")
        /// No entry is before the time, except for the last one of the log, which always stays.
        public static let nothingToPrune = Self("nothingToPrune", "the audit log has no entry before the date to prune")
        /// The log is not what the platform has written. No entry is removed, because it may show the cause.
        public static let changedLog = Self(
            "changedLog", "the audit log was changed outside of the platform, and none of it is pruned")
        /// The file does not end where the pruned part is to end, or does not begin after the previously pruned part.
        public static let otherPart = Self(
            "otherPart", "the file holds other entries than those that are to be pruned")

        // Checkpoints.

        /// The text is not a signed note with the three lines of a checkpoint.
        public static let malformedCheckpoint = Self(
            "malformedCheckpoint", "the file is not a checkpoint of an audit log")
        /// The checkpoint belongs to another platform or tenant.
        public static let otherLog = Self("otherLog", "the checkpoint is of another platform or tenant")
        /// No audit key of the platform has signed the checkpoint.
        public static let unsignedCheckpoint = Self(
            "unsignedCheckpoint", "the checkpoint is not signed by an audit key of this platform")
        /// A text is not an audit log key, or the keys belong to more than one log.
        public static let malformedKey = Self(
            "malformedKey", "the text is not a key of an audit log, or the keys are of more than one")

        // Extracts.

        /// A line is not an extract line, or is not in its canonical form.
        public static let malformedExtract = Self(
            "malformedExtract", "the file is not an extract of an audit log, or was changed")
        /// Lines of an extract are missing at the end.
        public static let incompleteExtract = Self(
            "incompleteExtract", "the file is not complete: lines are missing at its end")
        /// The key statements are not valid, or have another fingerprint.
        public static let platformKeys = Self(
            "platformKeys", "the key statements are not valid, or have another fingerprint")
        /// No audit key of the key statements has signed the extract's checkpoint, or the checkpoint belongs to another
        /// platform.
        public static let unsignedExtract = Self(
            "unsignedExtract", "the checkpoint of the file is not signed by an audit key of this platform")
        /// An entry of an extract or its proof was changed, moved or repeated, or belongs to another account.
        public static let alteredEntry = Self("alteredEntry", "was changed, or is not one of the account")
        /// The extract was written by a newer version of this program.
        public static let newerExtract = Self("newerExtract", "the file was written by a newer version of this program")
    }

    /// The kind of error.
    public let code: Code
    /// The source location where the error was created.
    public let location: SourceLocation
    /// The line number in the file, from 1, for a line that is not in its canonical form; `nil` for the file as a
    /// whole.
    public let fileLine: Int?
    /// The number of the entry for `alteredEntry`; `nil` for other codes.
    public let entry: Int64?
    /// The environment for a log that was changed, and the caller otherwise.
    public var blame: Blame { code == .changedLog ? .environment : .caller }
    /// A sentence about the fault and, where useful, the recovery. It contains no content of the file except
    /// ``fileLine`` or ``entry``.
    public var message: String {
        if let entry { return "entry \(entry) \(code.message)" }
        guard let fileLine else { return code.message }
        return code == .malformedExtract
            ? "\(code.message): line \(fileLine)" : "\(code.message), in line \(fileLine)"
    }

    init(_ code: Code, fileLine: Int? = nil, entry: Int64? = nil, fileID: String = #fileID, line: Int = #line) {
        self.code = code
        self.fileLine = fileLine
        self.entry = entry
        location = SourceLocation(fileID: fileID, line: line)
    }
}
