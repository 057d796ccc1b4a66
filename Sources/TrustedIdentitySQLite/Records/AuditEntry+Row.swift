internal import TrustedIdentity

extension AuditEntry {
    /// The entries, without a condition.
    static let select = "SELECT sequence, time, event, account, device, reason FROM audit"

    /// Stores an entry; SQLite gives it the number after the highest.
    static let insert = "INSERT INTO audit (time, event, account, device, reason) VALUES (?, ?, ?, ?, ?)"

    var values: [Value?] {
        [
            .time(time), .text(event.rawValue), account.map { .text($0) }, device.map { .bytes($0) }, .text(reason),
        ]
    }

    init(_ columns: inout Columns) throws {
        self.init(
            sequence: try columns.integer(), time: try columns.time(), event: try columns.word(),
            account: try columns.textIfAny(), device: try columns.bytesIfAny(), reason: try columns.text())
    }
}
