public import Primitives

/// The reason why entries of the audit log are not pruned. Nothing was removed.
public struct AuditPruningError: CodedError, Sendable {
    /// The kinds of error. More may come; a switch over them needs a default.
    public struct Code: Sendable, Hashable, CustomStringConvertible {
        /// The name of the code, as it is spelled in Swift.
        public let description: String
        fileprivate let message: String

        private init(_ name: StaticString, _ message: StaticString) {
            description = name.description
            self.message = message.description
        }

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
    }

    /// The kind of error.
    public let code: Code
    /// The source location where the error was created.
    public let location: SourceLocation
    /// The environment for a log that was changed, and the caller otherwise.
    public var blame: Blame { code == .changedLog ? .environment : .caller }
    /// A constant sentence: the fault and, where useful, the recovery.
    public var message: String { code.message }

    init(_ code: Code, fileID: String = #fileID, line: Int = #line) {
        self.code = code
        location = SourceLocation(fileID: fileID, line: line)
    }
}
