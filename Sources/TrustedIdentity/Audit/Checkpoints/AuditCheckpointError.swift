/// The reason why a note is not a checkpoint of the audit log.
public struct AuditCheckpointError: Error, Sendable, Hashable {
    /// The kind of error.
    public enum Code: Sendable, Hashable, CaseIterable {
        /// The text is not a signed note with the three lines of a checkpoint.
        case malformed
        /// The checkpoint belongs to another platform or tenant.
        case otherLog
        /// No audit key of the platform has signed the checkpoint.
        case notSigned
        /// A text is not an audit log key, or the keys belong to more than one log.
        case malformedKey
    }

    /// The kind.
    public let code: Code

    init(_ code: Code) { self.code = code }

    /// A constant text for administrators.
    public var message: String {
        switch code {
        case .malformed: "the file is not a checkpoint of an audit log"
        case .otherLog: "the checkpoint is that of another platform or tenant"
        case .notSigned: "the checkpoint is not signed by an audit key of this platform"
        case .malformedKey: "the text is not a key of an audit log, or the keys are of more than one"
        }
    }
}
