/// The ninth step: an account keeps the time when its latest registration was finished.
///
/// Accounts from before have no time. The state of their devices shows whether they are finished.
enum FinishSchema {
    static let statements = ["ALTER TABLE account ADD COLUMN finished_at INTEGER"]
}
