internal import OrchestrationProtocol
internal import Primitives

/// The leaf of an entry in the audit log's tree.
///
/// The leaf data is the deterministic CBOR array [label, tenant, id, time, event, subject, device, reason, actor,
/// correlation id, address, decision]: every column of the row except its number, which is the place of the leaf. The
/// row does not contain the account name.
struct AuditLeaf: Sendable {
    /// The number of items of the array.
    private static let count = 12

    let tenant: String

    /// Returns the data of the leaf.
    func data(of entry: AuditEntry) -> [UInt8] {
        var writer = CBORWriter()
        writer.array(Self.count)
        writer.text(Label.auditEntry.text)
        writer.text(tenant)
        writer.bytes(entry.id)
        writer.integer(entry.time.millisecondsSinceEpoch)
        writer.text(entry.event.rawValue)
        writer.optional(entry.subject)
        writer.optional(entry.device)
        writer.text(entry.reason)
        writer.optional(entry.actor?.rawValue)
        writer.optional(entry.correlationID)
        writer.optional(entry.address)
        writer.optional(entry.decision)
        return writer.finish()
    }

    /// Returns the hash of the leaf.
    func hash(of entry: AuditEntry) -> [UInt8] { MerkleTree.leafHash(data(of: entry)) }
}
