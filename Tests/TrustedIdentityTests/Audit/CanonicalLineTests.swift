import OrchestrationTesting
import Primitives
import Testing

@testable import TrustedIdentity

/// The files of the audit log, as a test writes and reads them.
enum AuditLines {
    /// A kind of file. Each has lines of entries; an extract has a header, and the others have a last line.
    enum File: CaseIterable {
        case export, pruned, extract

        func bytes(of harness: Harness) async throws -> [UInt8] {
            switch self {
            case .export: try await harness.exportAudit()
            case .pruned: try await harness.exportAudit(before: harness.time.now())
            case .extract: try await AuditLines.extract(of: harness)
            }
        }

        /// Returns the error of a reader; nil for a file that it reads to its end.
        func error(_ bytes: [UInt8], of harness: Harness) async throws -> (any Error)? {
            do {
                switch self {
                case .export: _ = try await harness.restore(applying: bytes)
                case .pruned: _ = try await harness.prunedFile(bytes)
                case .extract: _ = try await AuditLines.readExtract(bytes, of: harness)
                }
            } catch let error as AuditError where error.code == .notCovering {
                // The export was read to its end. It is that of the log itself.
                return nil
            } catch {
                return error
            }
            return nil
        }
    }

    static func extract(of harness: Harness) async throws -> [UInt8] {
        var bytes: [UInt8] = []
        for try await chunk in try await harness.platform.auditExtract(of: Harness.account()) { bytes += chunk }
        return bytes
    }

    static func readExtract(_ bytes: [UInt8], of harness: Harness) async throws -> AuditExtractFile {
        let list = try harness.platform.keyStatements().map { #"{"statement":"\#(Base64URL.encode($0.statement))"}"# }
        let stream = AsyncStream<[UInt8]> { continuation in
            continuation.yield(bytes)
            continuation.finish()
        }
        return try await AuditExtractFile(
            reading: stream, platformKeys: Array(#"{"statements":[\#(list.joined(separator: ","))]}"#.utf8))
    }
}

/// A line of a file in another spelling, which a lenient reader of JSON takes for the same line.
enum LineSpelling: CaseIterable {
    case duplicateMember, firstMember, lastMember, innerSpace, spaceAtEnd, carriageReturn, order, fraction, exponent,
        escape, capitalDigits, membersInHMAC

    /// Returns the other spelling; nil for a line that has none of this kind.
    func changed(_ line: String) -> String? {
        let members = line.dropFirst()
        let first = line.firstMatch(of: /^\{("[A-Za-z]+":(?:"(?:[^"\\]|\\.)*"|[0-9]+))/).map { String($0.output.1) }
        switch self {
        case .duplicateMember: return first.map { "{\($0),\(members)" }
        case .firstMember: return #"{"aa":1,"# + members
        case .lastMember: return String(line.dropLast()) + #","zz":null}"#
        case .innerSpace: return line.replacing(#"":"#, with: #"": "#, maxReplacements: 1)
        case .spaceAtEnd: return line + " "
        case .carriageReturn: return line + "\r"
        case .order: return first.map { "{\(line.dropFirst($0.count + 2).dropLast()),\($0)}" }
        case .fraction: return number(of: line, ".0")
        case .exponent: return number(of: line, "e0")
        case .escape:
            guard let match = line.firstMatch(of: /":"([A-Za-z0-9])/), let letter = match.output.1.utf8.first else {
                return nil
            }
            return line.replacingPart(match.output.1, with: #"\u00"# + Hex.encode([letter]))
        case .capitalDigits:
            guard let match = line.firstMatch(of: /"(?:id|subject|hmac)":"([0-9a-f]+)"/) else { return nil }
            return line.replacingPart(match.output.1, with: match.output.1.uppercased())
        case .membersInHMAC:
            guard let match = line.firstMatch(of: /"hmac":"([0-9a-f]{64})"/) else { return nil }
            let start = #"a","zz":""#
            return line.replacingPart(
                match.output.1, with: start + String(repeating: "a", count: 64 - start.count))
        }
    }

    /// Returns the line with something after its first number.
    private func number(of line: String, _ end: String) -> String? {
        line.firstMatch(of: /":([0-9]+)[,}]/).map { line.replacingPart($0.output.1, with: "\($0.output.1)\(end)") }
    }
}

extension String {
    /// Returns the text with another part instead of one.
    fileprivate func replacingPart(_ part: Substring, with other: String) -> String {
        "\(self[..<part.startIndex])\(other)\(self[part.endIndex...])"
    }
}

/// The canonical form of each line of each file of the audit log.
struct CanonicalLineTests {
    private func harness() async throws -> Harness {
        let harness = try await Harness()
        _ = try await harness.activate()
        harness.time.advance(seconds: 10)
        try await harness.append()
        return harness
    }

    @Test(arguments: AuditLines.File.allCases)
    func `each line in each other spelling is refused by its number`(file: AuditLines.File) async throws {
        let harness = try await harness()
        let bytes = try await file.bytes(of: harness)
        let accepted = try await file.error(bytes, of: harness)
        #expect(accepted.map { "\($0)" } == nil)
        let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n").map(String.init)
        for spelling in LineSpelling.allCases {
            var count = 0
            for (index, line) in lines.enumerated() {
                guard let other = spelling.changed(line), other != line else { continue }
                count += 1
                var changed = lines
                changed[index] = other
                let error = try await file.error(
                    Array((changed.joined(separator: "\n") + "\n").utf8), of: harness)
                let found = error as? AuditError
                #expect(
                    found?.code == (file == .extract ? .malformedExtract : .altered) && found?.fileLine == index + 1,
                    "\(spelling): \(other), \(String(describing: error))")
            }
            #expect(count > 0 || (file == .extract && spelling == .membersInHMAC), "\(spelling)")
        }
    }

    @Test(arguments: [AuditLines.File.pruned, .extract])
    func `a checkpoint in a file with a further signature is refused`(file: AuditLines.File) async throws {
        let harness = try await harness()
        let text = String(decoding: try await file.bytes(of: harness), as: UTF8.self)
        let note = try #require(text.firstMatch(of: /"checkpoint":"(?:[^"\\]|\\.)*/)).output
        let changed = "\(text[..<note.endIndex])\u{2014} witness AAAAAAAA\\n\(text[note.endIndex...])"
        let error = try await file.error(Array(changed.utf8), of: harness)
        #expect(error as? AuditError == AuditError(file == .pruned ? .notSigned : .unsignedExtract))
    }

    @Test func `a text for the administrator names the line`() {
        #expect(AuditError(.altered, fileLine: 3).message == "the file was changed after the export, in line 3")
        #expect(AuditError(.altered).message == "the file was changed after the export")
        #expect(AuditError(.altered, fileLine: 3) == AuditError(.altered))
        #expect(
            AuditError(.malformedExtract, fileLine: 2).message
                == "the file is not an extract of an audit log, or was changed: line 2")
        #expect(
            AuditError(.alteredEntry, entry: 4).message == "entry 4 was changed, or is not one of the account")
    }
}
