internal import Primitives

#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

extension Platform {
    /// Makes an extract of the audit log: the entries of one account, each with a proof that the log of one checkpoint
    /// contains it. The call reads the whole log.
    ///
    /// The reader of an extract needs the platform's key statements and nothing else: ``AuditExtractFile``. An extract
    /// contains no content of other entries. It does not prove that it contains all entries of the account.
    ///
    /// - Parameter account: The account. Entries of a previous account with the same name have another subject, and are
    ///   not in the extract.
    /// - Returns: The extract, as JSON lines.
    /// - Throws: ``PlatformError`` with `unknownUser`, `alteredRow` when the log was changed outside of the platform,
    ///   `busy` when it is pruned meanwhile, `storeFailed`; `CancellationError`.
    public func auditExtract(of account: AccountName) async throws -> AuditExtract {
        let checkpoint = try await auditCheckpoint()
        let (subject, pruned) = try await read { store in
            guard let subject = try store.account(account.text)?.subject else { throw PlatformError(.unknownUser) }
            return (subject, try store.currentState().prunedAudit?.size ?? 0)
        }
        let numbers = try await auditNumbers(of: account, in: pruned + 1...max(pruned + 1, checkpoint.size))
        let ranges = numbers.map { MerkleTree.inclusionRanges(of: $0 - 1, in: checkpoint.size) }
        var entries: [Int64: AuditEntry] = [:]
        let nodes = try await nodes(Set(ranges.joined()), of: checkpoint) { entry, _ in
            if entry.subject == subject { entries[entry.sequence] = entry }
        }
        let lines = try zip(numbers, ranges).map { number, ranges in
            guard let entry = entries[number], let proof = nodes.roots(over: ranges) else { throw PlatformError(.busy) }
            return AuditExtract.Line(entry: entry, proof: proof)
        }
        let header = AuditExtract.Header(
            checkpoint: checkpoint.note, extract: AuditExtract.version, pruned: pruned, rows: lines.count,
            subject: Hex.encode(subject), user: account.text)
        return AuditExtract(header: header, lines: lines)
    }

    /// Returns the entry numbers of an account in ascending order.
    private func auditNumbers(of account: AccountName, in range: ClosedRange<Int64>) async throws -> [Int64] {
        var (numbers, before) = ([Int64](), range.upperBound < .max ? range.upperBound + 1 : .max)
        while true {
            try Task.checkCancellation()
            let page = try await read { [before] store in
                try store.auditEntries(of: account.text, before: before, limit: 500).map(\.sequence)
            }
            numbers += page.filter(range.contains)
            guard let last = page.last, last > range.lowerBound else { return numbers.reversed() }
            before = last
        }
    }
}

/// An extract of the audit log, as JSON lines: a header with the checkpoint, then a line for each entry of the account.
public struct AuditExtract: AsyncSequence, Sendable {
    /// A chunk of whole lines.
    public typealias Element = [UInt8]

    /// The version of the form.
    static let version = 1
    /// The number of lines of a chunk.
    private static let page = 500

    /// The first line.
    struct Header: Codable, Sendable, Equatable {
        /// The checkpoint that the proofs lead to, as a signed note.
        let checkpoint: String
        /// The version of the form, 1.
        let extract: Int
        /// The number of first entries of the log that were pruned. The extract contains none of them.
        let pruned: Int64
        /// The number of lines that follow.
        let rows: Int
        /// The subject of the account, 32 hexadecimal digits.
        let subject: String
        /// `user@domain`. No log entry contains it: the operator states that the subject stands for this account.
        let user: String
    }

    /// An entry's line: the fields of an exported log, and its proof.
    struct Line: Codable, Sendable {
        private enum Key: CodingKey {
            case proof
        }

        private let fields: AuditFile.Line
        /// The hashes from the sibling of the leaf upwards, in Base64.
        private let proof: [String]

        init(entry: AuditEntry, proof: [[UInt8]]) {
            fields = AuditFile.Line(entry)
            self.proof = proof.map { Data($0).base64EncodedString() }
        }

        init(from decoder: any Decoder) throws {
            fields = try AuditFile.Line(from: decoder)
            proof = try decoder.container(keyedBy: Key.self).decode([String].self, forKey: .proof)
        }

        func encode(to encoder: any Encoder) throws {
            try fields.encode(to: encoder)
            var container = encoder.container(keyedBy: Key.self)
            try container.encode(proof, forKey: .proof)
        }

        /// The entry; `nil` when an id is not hexadecimal.
        var entry: AuditEntry? { fields.entry }

        /// The hashes; `nil` when one is not in canonical Base64.
        var hashes: [[UInt8]]? {
            let hashes = proof.compactMap(AuditFile.hash)
            return hashes.count == proof.count ? hashes : nil
        }
    }

    private let header: Header
    private let lines: [Line]

    init(header: Header, lines: [Line]) {
        self.header = header
        self.lines = lines
    }

    /// The number of entries.
    public var count: Int { lines.count }

    /// Creates an iterator at the first line.
    public func makeAsyncIterator() -> Iterator { Iterator(header: header, lines: lines[...]) }

    /// An iterator over the chunks.
    public struct Iterator: AsyncIteratorProtocol {
        private var header: Header?
        private var lines: ArraySlice<Line>

        init(header: Header, lines: ArraySlice<Line>) {
            self.header = header
            self.lines = lines
        }

        /// Returns the next chunk; `nil` after the last line.
        public mutating func next() async throws -> [UInt8]? {
            if let first = header {
                header = nil
                return try AuditFile.encodedLine(first)
            }
            guard !lines.isEmpty else { return nil }
            let page = lines.prefix(AuditExtract.page)
            lines = lines.dropFirst(page.count)
            return try page.flatMap { try AuditFile.encodedLine($0) }
        }
    }
}
