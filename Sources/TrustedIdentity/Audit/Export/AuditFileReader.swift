internal import Crypto
internal import Primitives

/// A reader of an exported audit log. It checks the lines as they come, and the HMAC at the end: what it returned
/// before ``finish()`` may be wrong.
struct AuditFileReader {
    private let tenant: String
    /// The name of the keys of the file's store.
    private let keyID: String?
    /// The HMAC so far.
    private var code: HMAC<SHA256>?
    /// The bytes of the line that has not ended yet.
    private var rest: [UInt8] = []
    private var first: Int64?
    private var last: Int64?
    private var rows: Int64 = 0
    /// The number of lines that were read.
    private var lines = 0
    /// The last line, once it was read, and whether its HMAC is valid.
    private var end: (summary: AuditFile.Summary, isAuthentic: Bool)?

    /// - Parameter keys: The keys of the file's store; nil for a file that is verified without them.
    init(tenant: String, keys: DataKeys?) {
        self.tenant = tenant
        keyID = keys?.id
        code = keys.map { HMAC<SHA256>(key: $0.auditExport) }
    }

    /// Reads a part of the file.
    ///
    /// - Returns: The entries whose lines ended in this part.
    /// - Throws: ``AuditError``.
    mutating func read(_ bytes: [UInt8]) throws(AuditError) -> [AuditEntry] {
        var entries: [AuditEntry] = []
        var start = bytes.startIndex
        while let feed = bytes[start...].firstIndex(of: UInt8(ascii: "\n")) {
            let line = rest + bytes[start...feed]
            rest = []
            start = bytes.index(after: feed)
            if let entry = try readLine(line) { entries.append(entry) }
        }
        rest += bytes[start...]
        guard rest.count <= AuditFile.longestLine else { throw AuditError(.altered, fileLine: lines + 1) }
        return entries
    }

    /// Ends the file.
    ///
    /// - Returns: The content of the last line.
    /// - Throws: ``AuditError``. A file of another platform gives its specific error, although its HMAC is also
    ///   wrong.
    mutating func finish() throws(AuditError) -> AuditFile.Summary {
        let (summary, isAuthentic) = try lastLine()
        guard summary.tenant == tenant, summary.platform == keyID else { throw AuditError(.otherPlatform) }
        guard isAuthentic else { throw AuditError(.altered) }
        return try complete(summary)
    }

    /// Ends a file whose entries are authenticated in another way than by the HMAC.
    ///
    /// - Returns: The content of the last line, which matches the entries and is not authenticated.
    /// - Throws: ``AuditError``.
    mutating func finishWithoutKey() throws(AuditError) -> AuditFile.Summary {
        let summary = try complete(try lastLine().summary)
        guard summary.tenant == tenant else { throw AuditError(.otherPlatform) }
        return summary
    }

    private func lastLine() throws(AuditError) -> (summary: AuditFile.Summary, isAuthentic: Bool) {
        guard let end else { throw AuditError(.cutOff) }
        guard rest.isEmpty else { throw AuditError(.altered, fileLine: lines + 1) }
        return end
    }

    private func complete(_ summary: AuditFile.Summary) throws(AuditError) -> AuditFile.Summary {
        guard summary.rows == rows, rows > 0, summary.first == first, summary.last == last else {
            throw AuditError(.altered)
        }
        guard summary.version == AuditFile.version else { throw AuditError(.newerVersion) }
        return summary
    }

    /// Reads a line with its line feed. The last line returns no entry.
    private mutating func readLine(_ line: [UInt8]) throws(AuditError) -> AuditEntry? {
        lines += 1
        // Nothing follows the last line.
        guard end == nil, line.count <= AuditFile.longestLine else { throw AuditError(.altered, fileLine: lines) }
        let digits = line.count - AuditFile.digits - AuditFile.end.count
        if digits > 0, line[..<digits].reversed().starts(with: AuditFile.hmacField.reversed()),
            line.reversed().starts(with: AuditFile.end.reversed())
        {
            try readLastLine(line, digits: digits)
            return nil
        }
        update(line)
        // A line is the canonical form of its entry: no unknown or repeated member, and no other spelling.
        guard let entry = AuditFile.decode(AuditFile.Line.self, line)?.entry, entry.sequence >= 1,
            (try? AuditFile.line(entry)) == line,
            last.map({ entry.sequence == $0 &+ 1 }) ?? true
        else { throw AuditError(.altered, fileLine: lines) }
        first = first ?? entry.sequence
        last = entry.sequence
        rows += 1
        return entry
    }

    private mutating func readLastLine(_ line: [UInt8], digits: Int) throws(AuditError) {
        let text = String(decoding: line[digits..<digits + AuditFile.digits], as: UTF8.self)
        // The digits are checked although a reader without the key cannot verify the HMAC: quotation marks among them
        // would end the text and begin further members.
        guard let summary = AuditFile.decode(AuditFile.Summary.self, line),
            (try? AuditFile.lastLine(summary)) == Array(line[..<digits]),
            let found = try? Hex.decode(text), Hex.encode(found) == text
        else { throw AuditError(.altered, fileLine: lines) }
        update(line[..<digits])
        end = (summary, ConstantTime.equal(code.map { Array($0.finalize()) } ?? [], found))
    }

    private mutating func update(_ bytes: some Collection<UInt8>) {
        code?.update(data: Array(bytes))
    }
}
