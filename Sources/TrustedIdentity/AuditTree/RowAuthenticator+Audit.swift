internal import Primitives
internal import Wire

extension RowAuthenticator {
    /// The leaves of the tree of the audit log.
    var auditLeaf: AuditLeaf { AuditLeaf(tenant: tenant) }

    /// Makes the seal of an entry that follows the end of the tree.
    func seal(_ entry: AuditEntry, after edge: AuditEdge) -> AuditSeal {
        let subtree = edge.subtree(of: auditLeaf.hash(of: entry), at: entry.sequence)
        return AuditSeal(subtree: subtree, code: code(ofAuditEntry: entry.sequence, subtree: subtree))
    }

    /// Returns the subtree of a seal; `nil` when the seal does not have its HMAC.
    func authenticSubtree(of seal: AuditSeal, ofAuditEntry sequence: Int64) -> [UInt8]? {
        ConstantTime.equal(code(ofAuditEntry: sequence, subtree: seal.subtree), seal.code) ? seal.subtree : nil
    }

    /// Returns the HMAC over the array ["audit", tenant, number of the entry, subtree], under the master key of the
    /// time when the entry was appended.
    private func code(ofAuditEntry sequence: Int64, subtree: [UInt8]) -> [UInt8] {
        var writer = CBORWriter()
        writer.array(4)
        writer.text("audit")
        writer.text(tenant)
        writer.integer(sequence)
        writer.bytes(subtree)
        return ring.sealKey(ofAuditEntry: sequence).secret.code(of: writer.finish())
    }
}
