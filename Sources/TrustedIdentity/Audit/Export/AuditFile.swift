internal import Crypto
internal import Primitives

#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// The form of an exported audit log: JSON lines. The last line contains an HMAC over everything before its digits.
///
/// The article "The audit log" describes it.
enum AuditFile {
    /// The text between the fields of the last line and the digits of the HMAC. No other line contains it, because a
    /// quotation mark in a string is escaped.
    static let hmacField = Array(#","hmac":""#.utf8)
    /// The end of the last line, after the digits.
    static let end = Array("\"}\n".utf8)
    /// The number of digits of the HMAC.
    static let digits = 64
    /// The largest line that is read, in bytes.
    static let longestLine = 16 * 1024
    /// The version of the form.
    static let version = 1

    /// An entry as a line.
    struct Line: Codable {
        let sequence: Int64
        let id: String
        let time: Int64
        let event: String
        let account: String?
        let device: String?
        let reason: String?
        let subject: String?
        let actor: String?
        let correlationID: String?
        let address: String?
        let decision: String?

        init(_ entry: AuditEntry) {
            sequence = entry.sequence
            id = Hex.encode(entry.id)
            time = entry.time.millisecondsSinceEpoch
            event = entry.event.rawValue
            account = entry.account
            device = entry.device.map { Hex.encode($0) }
            reason = entry.reason.isEmpty ? nil : entry.reason
            subject = entry.subject.map { Hex.encode($0) }
            actor = entry.actor?.rawValue
            correlationID = entry.correlationID
            address = entry.address
            decision = entry.decision.map { Hex.encode($0) }
        }

        /// The entry; `nil` when an id is not hexadecimal.
        var entry: AuditEntry? {
            let texts = [id, subject, device, decision]
            let ids = texts.map { text in text.flatMap { try? Hex.decode($0) } }
            guard zip(texts, ids).allSatisfy({ ($0 == nil) == ($1 == nil) }) else { return nil }
            return AuditEntry(
                sequence: sequence, id: ids[0] ?? [], time: Timestamp(millisecondsSinceEpoch: time),
                event: AuditEvent(rawValue: event), account: account, subject: ids[1], device: ids[2],
                reason: reason ?? "", actor: actor.map { AuditActor(rawValue: $0) }, correlationID: correlationID,
                address: address, decision: ids[3])
        }
    }

    /// The fields of the last line, without the HMAC.
    struct Summary: Codable, Equatable {
        /// The checkpoint at the last entry, as a signed note; `nil` in an export that is not for pruning.
        let checkpoint: String?
        /// The sequence number of the first entry.
        let first: Int64
        /// The sequence number of the last entry.
        let last: Int64
        /// The subtrees that make up the tree before the first entry, the smallest first, in Base64; `nil` in an export
        /// that is not for pruning.
        let peaks: [String]?
        /// The id of the platform's data keys.
        let platform: String
        /// The number of entries.
        let rows: Int64
        /// The tenant of the platform.
        let tenant: String
        /// The version of the form.
        let version: Int
    }

    /// Returns the line of an entry, with its line feed.
    static func line(_ entry: AuditEntry) throws -> [UInt8] { try encodedLine(Line(entry)) }

    /// Returns a line of a file, with its line feed.
    static func encodedLine(_ value: some Encodable) throws -> [UInt8] { try encode(value) + [UInt8(ascii: "\n")] }

    /// Returns the last line up to the digits of the HMAC.
    static func lastLine(_ summary: Summary) throws -> [UInt8] { try encode(summary).dropLast() + hmacField }

    private static func encode(_ value: some Encodable) throws -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return Array(try encoder.encode(value))
    }

    /// Returns the hash of a text in canonical Base64; `nil` for any other text.
    static func hash(_ text: String) -> [UInt8]? {
        guard let hash = Data(base64Encoded: text), hash.count == 32, hash.base64EncodedString() == text else {
            return nil
        }
        return Array(hash)
    }

    /// Decodes a line; `nil` for anything else.
    static func decode<Value: Decodable>(_ type: Value.Type, _ line: some Collection<UInt8>) -> Value? {
        try? JSONDecoder().decode(type, from: Data(line))
    }
}
