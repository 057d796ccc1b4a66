import Foundation
import OrchestrationProtocol
import Primitives
import TrustedIdentity

@testable import Orchestration

/// Everything that an attacker with the device, the database without its keys, and the mail of the application server
/// has: what a guess could be tested against.
struct Evidence {
    /// The decrypted record of the device.
    var record: [UInt8]
    /// The files of the device.
    var files: [[UInt8]]
    /// The codes and signatures that were shown.
    var codes: [[UInt8]]
    /// The receipts of answered approval requests.
    var receipts: [[UInt8]]
    /// The decision records of the policy, and what it remembers of the account.
    var decisions: [[UInt8]]
    /// The lines of the audit log.
    var auditLines: [[UInt8]]
    /// The entries of the audit log, for their fields.
    var auditEntries: [AuditEntry]
    /// The transcripts of all flows, which support has.
    var transcripts: [Transcript]

    /// A place where a leak is planted.
    enum Place: CaseIterable {
        case record, receipt, decisionRecord, auditLine, auditSubject, auditCorrelationID, auditDecision
        case transcriptEntry, replyCorrelationID
    }

    /// Adds bytes that depend on the password: as one more field of a structure, or one more piece of a line.
    mutating func plant(_ leak: [UInt8], in place: Place) throws {
        func extended(_ structure: [UInt8]) throws -> [UInt8] {
            CBORValue.array([try CBORValue(decoding: structure), .bytes(leak)]).encoded
        }
        switch place {
        case .record: record = try extended(record)
        case .receipt: receipts[0] = try extended(receipts[0])
        case .decisionRecord: decisions[0] = try extended(decisions[0])
        case .auditLine: auditLines.append(leak)
        case .auditSubject: auditEntries[0].subject = leak
        // A correlation id is text, so that bytes are in it as digits.
        case .auditCorrelationID: auditEntries[0].correlationID = Hex.encode(leak)
        case .auditDecision: auditEntries[0].decision = leak
        // A transcript is text, so that bytes are in it as digits.
        case .transcriptEntry:
            transcripts[0].entries.append(.init(milliseconds: 0, .event, "leak \(Hex.encode(leak))"))
        case .replyCorrelationID:
            let text = Data(leak).base64EncodedString()
            transcripts[0].entries.append(.init(milliseconds: 0, .exchange, "answered", replyCorrelationID: text))
        }
    }

    /// Adds files of the device.
    mutating func plant(_ pieces: [[UInt8]]) { files += pieces }

    /// All pieces: whole, and each string of the CBOR that they contain.
    func pieces() throws -> [[UInt8]] {
        let structures = [record] + receipts + decisions
        return try files + codes + auditLines + auditEntries.flatMap(\.pieces) + structures
            + structures.flatMap { try CBORValue(decoding: $0).leaves }
            + transcripts.flatMap { try $0.pieces }
    }
}

extension AuditEntry {
    /// The bytes of each field that a stranger or chance determines, and those that its digits stand for.
    fileprivate var pieces: [[UInt8]] {
        let texts = [account, actor?.rawValue, correlationID, address, reason].compactMap(\.self)
        let words = texts.flatMap { $0.split(separator: ":") }.compactMap { try? Hex.decode(String($0)) }
        return texts.map { Array($0.utf8) } + words + [subject, device, decision].compactMap(\.self)
    }
}

extension Transcript {
    /// The transcript as text and as JSON, and the bytes that each word of it may stand for.
    fileprivate var pieces: [[UInt8]] {
        get throws {
            let encoder = JSONEncoder()
            encoder.outputFormatting = .withoutEscapingSlashes
            let texts = [description, String(decoding: try encoder.encode(self), as: UTF8.self)]
            let words = texts.flatMap { text in
                text.split { !$0.isASCII || !($0.isLetter || $0.isNumber || "+/=".contains($0)) }
            }
            let bytes = words.filter { $0.utf8.count >= 8 }.flatMap { word in
                [try? Hex.decode(word), Data(base64Encoded: String(word)).map { Array($0) }].compactMap(\.self)
            }
            return texts.map { Array($0.utf8) } + bytes
        }
    }
}

extension Story {
    /// Collects the evidence.
    func evidence() async throws -> Evidence {
        let name = world.account.text
        let (decisions, risk) = try await world.platformStore.base.read { store in
            (try store.policyDecisions(of: name, limit: 1_000), try store.accountRisk(name))
        }
        return Evidence(
            record: try await recordBytes(), files: try await blobs(), codes: codes.map { Array($0.text.utf8) },
            receipts: receipts, decisions: decisions.map(\.record) + (risk.map { [$0.state] } ?? []),
            auditLines: try await auditLines().map { Array($0.utf8) },
            auditEntries: try await world.platform.audit(limit: 1_000), transcripts: transcripts)
    }
}
