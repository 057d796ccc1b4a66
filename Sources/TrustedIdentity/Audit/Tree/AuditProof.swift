internal import Primitives

#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// A proof that an entry is in the audit log that a checkpoint has signed (RFC 6962, section 2.1.1).
public struct AuditInclusionProof: Sendable, Hashable {
    /// The data of the leaf: the entry, without the name of the account.
    public let leaf: [UInt8]
    /// The index of the leaf: the number of the entry less 1.
    public let index: Int64
    /// The hashes from the sibling of the leaf upwards, 32 bytes each.
    public let hashes: [[UInt8]]
    /// The checkpoint.
    public let checkpoint: AuditCheckpoint

    /// The proof in the form of C2SP tlog-proof. Its line `extra` contains the leaf data.
    public var text: String {
        let extra = Data(leaf).base64EncodedString()
        return "c2sp.org/tlog-proof@v1\nextra \(extra)\nindex \(index)\n\(hashes.base64Lines)\n\(checkpoint.note)"
    }
}

/// A proof that the audit log of a checkpoint begins with the unchanged log of an earlier size (RFC 6962, section
/// 2.1.2).
public struct AuditConsistencyProof: Sendable, Hashable {
    /// The earlier size.
    public let earlierSize: Int64
    /// The hashes, 32 bytes each.
    public let hashes: [[UInt8]]
    /// The later checkpoint.
    public let checkpoint: AuditCheckpoint

    /// The proof in the form of a request of C2SP tlog-witness.
    public var text: String { "old \(earlierSize)\n\(hashes.base64Lines)\n\(checkpoint.note)" }
}

extension [[UInt8]] {
    fileprivate var base64Lines: String { map { Data($0).base64EncodedString() + "\n" }.joined() }
}
