internal import OrchestrationProtocol
public import Primitives

/// An extract of the audit log, read to its end and verified with the platform's key statements alone.
public struct AuditExtractFile: Sendable, Hashable {
    /// The account as the operator names it, `user@domain`. The log does not contain the name.
    public let user: String
    /// The subject that each of the entries contains, 16 bytes.
    public let subject: [UInt8]
    /// The number of entries.
    public let count: Int
    /// The numbers of the first and of the last entry; `nil` for an extract without entries.
    public let range: ClosedRange<Int64>?
    /// The time of the last entry; `nil` for an extract without entries.
    public let lastEntryTime: Timestamp?
    /// The number of first entries of the log that were pruned, as the operator states it. The extract contains none of
    /// them.
    public let pruned: Int64
    /// The checkpoint, whose log contains the entries.
    public let checkpoint: AuditCheckpoint

    /// The maximum length of the key statements, in bytes.
    public static let longestPlatformKeys = PublishedKeys.maximumByteCount

    /// Reads an extract.
    ///
    /// - Parameters:
    ///   - file: The bytes of the file, in chunks of any length.
    ///   - platformKeys: The key statements of the platform: the file of `platform-key export`.
    ///   - fingerprint: The fingerprint of any of the statements in hexadecimal digits, preferably the latest one that
    ///     the operator of the platform has confirmed; `nil` for statements that came from the operator over a separate
    ///     channel, or from the platform over TLS.
    ///   - visit: A closure that receives each verified entry in the order of the log. When this initializer throws
    ///     after it, the file is not complete.
    /// - Throws: ``AuditError``; the errors of the file.
    public init<File: AsyncSequence>(
        reading file: File, platformKeys: [UInt8], fingerprint: String? = nil, visit: (AuditEntry) -> Void = { _ in }
    ) async throws where File.Element == [UInt8] {
        guard let keys = try? PublishedKeys(pages: [platformKeys], fingerprint: fingerprint) else {
            throw AuditError(.platformKeys)
        }
        var (rest, reader) = ([UInt8](), Reader?.none)
        for try await chunk in file {
            rest += chunk
            var start = rest.startIndex
            while let feed = rest[start...].firstIndex(of: UInt8(ascii: "\n")) {
                let line = rest[start..<feed]
                start = feed + 1
                guard line.count <= AuditFile.longestLine else {
                    throw AuditError(.malformedExtract, fileLine: reader?.nextLine ?? 1)
                }
                if reader == nil {
                    reader = try Reader(header: line, keys: keys)
                } else {
                    try reader?.read(line, visit)
                }
            }
            rest.removeSubrange(..<start)
            guard rest.count <= AuditFile.longestLine else {
                throw AuditError(.malformedExtract, fileLine: reader?.nextLine ?? 1)
            }
        }
        guard let reader, rest.isEmpty, reader.count == reader.header.rows else { throw AuditError(.incompleteExtract) }
        (user, subject, count) = (reader.header.user, reader.subject, reader.count)
        (pruned, checkpoint) = (reader.header.pruned, reader.checkpoint)
        range = reader.first.map { $0...reader.last }
        lastEntryTime = reader.time
    }

    /// The verification of the lines, one after another.
    private struct Reader {
        let header: AuditExtract.Header
        let subject: [UInt8]
        let checkpoint: AuditCheckpoint
        private let leaf: AuditLeaf
        private(set) var count = 0
        /// The number of the first entry.
        private(set) var first: Int64?
        private(set) var last: Int64
        /// The time of the last entry.
        private(set) var time: Timestamp?

        /// The number of the next line of the file.
        var nextLine: Int { count + 2 }

        init(header line: ArraySlice<UInt8>, keys: PublishedKeys) throws(AuditError) {
            guard let header = AuditFile.decode(AuditExtract.Header.self, line),
                (try? AuditFile.encodedLine(header)) == line + [UInt8(ascii: "\n")],
                let subject = try? Hex.decode(header.subject), Hex.encode(subject) == header.subject,
                header.rows >= 0, header.pruned >= 0
            else { throw AuditError(.malformedExtract, fileLine: 1) }
            guard header.extract == AuditExtract.version else { throw AuditError(.newerExtract) }
            // The key name contains the fingerprint of statement 1, and the tenant. The checkpoint contains no
            // unverified line.
            let name = CheckpointText.keyName(of: String(header.checkpoint.prefix { $0 != "\n" }))
            let tenant = CheckpointText.tenant(of: name)
            guard name == CheckpointText.keyName(fingerprint: keys.firstFingerprint, tenant: tenant),
                let checkpoint = try? AuditCheckpoint(
                    note: header.checkpoint, keyName: name, publicKeys: keys.auditKeys), checkpoint.hasOneSignature
            else { throw AuditError(.unsignedExtract) }
            (self.header, self.subject, self.checkpoint) = (header, subject, checkpoint)
            leaf = AuditLeaf(tenant: tenant)
            last = header.pruned
        }

        mutating func read(_ line: ArraySlice<UInt8>, _ visit: (AuditEntry) -> Void) throws(AuditError) {
            guard let decoded = AuditFile.decode(AuditExtract.Line.self, line), let entry = decoded.entry,
                let proof = decoded.hashes,
                // No unknown or repeated member, and no other spelling.
                (try? AuditFile.encodedLine(AuditExtract.Line(entry: entry, proof: proof)))
                    == line + [UInt8(ascii: "\n")]
            else { throw AuditError(.malformedExtract, fileLine: nextLine) }
            // 1. Each entry occurs once. 2. All belong to one account. 3. No line contains a name, because a name is
            //    not part of a leaf.
            // 4. The log of the checkpoint contains the entry.
            guard count < header.rows, entry.sequence > last, entry.subject == subject, entry.account == nil,
                MerkleTree.root(
                    of: leaf.hash(of: entry), at: entry.sequence - 1, in: checkpoint.size, proof: proof)
                    == checkpoint.root
            else { throw AuditError(.alteredEntry, entry: entry.sequence) }
            first = first ?? entry.sequence
            (last, time) = (entry.sequence, entry.time)
            count += 1
            visit(entry)
        }
    }
}
