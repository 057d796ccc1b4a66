internal import Primitives

extension AccountRecord {
    /// The text that identifies the static password in the audit log: a part of the nonce under which it was sealed,
    /// which is random and not secret. `nil` without a static password.
    var staticPasswordID: String? { staticPassword.map { Hex.encode(Array($0.bytes.prefix(8))) } }
}

extension StoreTransaction {
    /// Appends the end of a static password to the audit log.
    func appendEnd(ofStaticPassword id: String, of account: String, now: Timestamp) throws {
        try append(AuditEntry(time: now, event: .staticPasswordEnded, account: account, reason: id))
    }
}
