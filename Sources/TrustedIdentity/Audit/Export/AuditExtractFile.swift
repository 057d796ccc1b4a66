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
    /// - Throws: ``AuditExtractError``; the errors of the file.
    public init<File: AsyncSequence>(
        reading file: File, platformKeys: [UInt8], fingerprint: String? = nil, visit: (AuditEntry) -> Void = { _ in }
    ) async throws where File.Element == [UInt8] {
        guard let keys = try? PublishedKeys(pages: [platformKeys], fingerprint: fingerprint) else {
            throw AuditExtractError(.platformKeys)
        }
        var (rest, reader) = ([UInt8](), Reader?.none)
        for try await chunk in file {
            rest += chunk
            var start = rest.startIndex
            while let feed = rest[start...].firstIndex(of: UInt8(ascii: "\n")) {
                let line = rest[start..<feed]
                start = feed + 1
                guard line.count <= AuditFile.longestLine else {
                    throw AuditExtractError(.malformed(line: reader?.nextLine ?? 1))
                }
                if reader == nil {
                    reader = try Reader(header: line, keys: keys)
                } else {
                    try reader?.read(line, visit)
                }
            }
            rest.removeSubrange(..<start)
            guard rest.count <= AuditFile.longestLine else {
                throw AuditExtractError(.malformed(line: reader?.nextLine ?? 1))
            }
        }
        guard let reader, rest.isEmpty, reader.count == reader.header.rows else { throw AuditExtractError(.cutOff) }
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

        init(header line: ArraySlice<UInt8>, keys: PublishedKeys) throws(AuditExtractError) {
            guard let header = AuditFile.decode(AuditExtract.Header.self, line),
                (try? AuditFile.encodedLine(header)) == line + [UInt8(ascii: "\n")],
                let subject = try? Hex.decode(header.subject), Hex.encode(subject) == header.subject,
                header.rows >= 0, header.pruned >= 0
            else { throw AuditExtractError(.malformed(line: 1)) }
            guard header.extract == AuditExtract.version else { throw AuditExtractError(.newerVersion) }
            // The key name contains the fingerprint of statement 1, and the tenant. The checkpoint contains no
            // unverified line.
            let name = CheckpointText.keyName(of: String(header.checkpoint.prefix { $0 != "\n" }))
            let tenant = CheckpointText.tenant(of: name)
            guard name == CheckpointText.keyName(fingerprint: keys.firstFingerprint, tenant: tenant),
                let checkpoint = try? AuditCheckpoint(
                    note: header.checkpoint, keyName: name, publicKeys: keys.auditKeys), checkpoint.hasOneSignature
            else { throw AuditExtractError(.notSigned) }
            (self.header, self.subject, self.checkpoint) = (header, subject, checkpoint)
            leaf = AuditLeaf(tenant: tenant)
            last = header.pruned
        }

        mutating func read(_ line: ArraySlice<UInt8>, _ visit: (AuditEntry) -> Void) throws(AuditExtractError) {
            guard let decoded = AuditFile.decode(AuditExtract.Line.self, line), let entry = decoded.entry,
                let proof = decoded.hashes,
                // No unknown or repeated member, and no other spelling.
                (try? AuditFile.encodedLine(AuditExtract.Line(entry: entry, proof: proof)))
                    == line + [UInt8(ascii: "\n")]
            else { throw AuditExtractError(.malformed(line: nextLine)) }
            // 1. Each entry occurs once. 2. All belong to one account. 3. No line contains a name, because a name is
            //    not part of a leaf.
            // 4. The log of the checkpoint contains the entry.
            guard count < header.rows, entry.sequence > last, entry.subject == subject, entry.account == nil,
                MerkleTree.root(
                    of: leaf.hash(of: entry), at: entry.sequence - 1, in: checkpoint.size, proof: proof)
                    == checkpoint.root
            else { throw AuditExtractError(.altered(entry: entry.sequence)) }
            first = first ?? entry.sequence
            (last, time) = (entry.sequence, entry.time)
            count += 1
            visit(entry)
        }
    }
}

/// The reason why a file is not an extract of the platform's audit log.
public struct AuditExtractError: Error, Sendable, Hashable {
    /// The kind of error.
    public enum Code: Sendable, Hashable {
        /// A line is not an extract line, or is not in its canonical form. Lines are counted from 1.
        case malformed(line: Int)
        /// Lines are missing at the end.
        case cutOff
        /// The key statements are not valid, or have another fingerprint.
        case platformKeys
        /// No audit key of the key statements has signed the checkpoint, or the checkpoint belongs to another platform.
        case notSigned
        /// An entry or its proof was changed, moved or repeated, or belongs to another account.
        case altered(entry: Int64)
        /// The file was written by a newer version of this program.
        case newerVersion
    }

    /// The kind.
    public let code: Code

    init(_ code: Code) { self.code = code }

    /// A text for the reader of the file. It contains no content of the file except the number of an entry or a line.
    public var message: String {
        switch code {
        case .malformed(let line): "the file is not an extract of an audit log, or was changed: line \(line)"
        case .cutOff: "the file is not complete: lines are missing at its end"
        case .platformKeys: "the key statements are not valid, or have another fingerprint"
        case .notSigned: "the checkpoint of the file is not signed by an audit key of this platform"
        case .altered(let entry): "entry \(entry) was changed, or is not one of the account"
        case .newerVersion: "the file was written by a newer version of this program"
        }
    }
}
