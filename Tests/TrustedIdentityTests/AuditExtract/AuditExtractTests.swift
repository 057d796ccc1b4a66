import Foundation
import OrchestrationTesting
import Primitives
import Testing

@testable import TrustedIdentity

/// Extracts of the audit log for one user, verified with the key statements alone.
@Suite struct AuditExtractTests {
    static let (alice, bob) = ("alice@master", "bob@master")

    /// A platform with entries of two users and of none.
    private func harness(devices: Int = 2) async throws -> Harness {
        let harness = try await Harness()
        for _ in 0..<devices {
            for user in [Self.alice, Self.bob] { _ = try await harness.activate(user) }
            try await harness.append()
        }
        return harness
    }

    private func extract(_ user: String = alice, of harness: Harness) async throws -> [UInt8] {
        var bytes: [UInt8] = []
        for try await chunk in try await harness.platform.auditExtract(of: Harness.account(user)) { bytes += chunk }
        return bytes
    }

    /// The key statements, as `GET /v1/platform-keys` answers them.
    private func statements(_ harness: Harness) throws -> [UInt8] {
        let list = try harness.platform.keyStatements().map { #"{"statement":"\#(Base64URL.encode($0.statement))"}"# }
        return Array(#"{"statements":[\#(list.joined(separator: ","))]}"#.utf8)
    }

    private func read(
        _ bytes: [UInt8], _ statements: [UInt8], fingerprint: String? = nil, chunk: Int = 1_000
    ) async throws -> (file: AuditExtractFile, entries: [AuditEntry]) {
        let stream = AsyncStream<[UInt8]> { continuation in
            for start in stride(from: 0, to: bytes.count, by: chunk) {
                continuation.yield(Array(bytes[start..<min(bytes.count, start + chunk)]))
            }
            continuation.finish()
        }
        var entries: [AuditEntry] = []
        let file = try await AuditExtractFile(
            reading: stream, platformKeys: statements, fingerprint: fingerprint
        ) { entries.append($0) }
        return (file, entries)
    }

    @Test(arguments: [1, 7, 100_000])
    func `an auditor with the key statements verifies all entries of the user`(chunk: Int) async throws {
        let harness = try await harness()
        let statements = try statements(harness)
        let fingerprint = Hex.encode(try #require(harness.platform.keyStatements().last).fingerprint)
        let (file, entries) = try await read(
            extract(of: harness), statements, fingerprint: fingerprint, chunk: chunk)
        let expected = try await harness.platform.audit(of: Harness.account(Self.alice), limit: 1_000).reversed()
        #expect(entries.count == file.count && file.count > 8 && file.user == Self.alice && file.pruned == 0)
        #expect(entries.map(\.sequence) == expected.map(\.sequence) && entries.map(\.event) == expected.map(\.event))
        #expect(entries.allSatisfy { $0.subject == file.subject })
        #expect(file.range?.lowerBound == entries.first?.sequence && file.range?.upperBound == entries.last?.sequence)
        #expect(file.lastEntryTime == entries.last?.time && file.checkpoint.keyID.count == 4)
        let checkpoint = try await harness.platform.auditCheckpoint()
        #expect(file.checkpoint.size == checkpoint.size && file.checkpoint.root == checkpoint.root)
    }

    @Test func `the extract has no content of entries of another user`() async throws {
        let harness = try await harness()
        let text = try String(decoding: await extract(of: harness), as: UTF8.self)
        let others = try await harness.platform.audit(limit: 1_000).filter { $0.account != Self.alice }
        #expect(others.count > 8 && !text.contains("bob"))
        for entry in others {
            let names = [entry.subject, entry.device, entry.decision].compactMap { $0.map { Hex.encode($0) } }
            for name in names + [entry.correlationID].compactMap(\.self) { #expect(!text.contains(name)) }
        }
    }

    @Test func `a line that is not in its canonical form is refused`() async throws {
        let harness = try await harness()
        let (bytes, statements) = (try await extract(of: harness), try statements(harness))
        let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n").map(String.init)
        for index in [0, 1, lines.count - 1] {
            let first = try #require(lines[index].firstMatch(of: /^{("[a-z]+":"[^"]*")/)).output.1
            for line in [
                #"{"a":1,"# + lines[index].dropFirst(), "{\(first)," + lines[index].dropFirst(), lines[index] + " ",
                lines[index].replacing(#"":""#, with: #"": ""#, maxReplacements: 1),
                String(lines[index].dropLast()) + #","z":null}"#,
            ] {
                var changed = lines
                changed[index] = line
                let file = Array((changed.joined(separator: "\n") + "\n").utf8)
                let error = await #expect(throws: AuditError.self, "\(line)") {
                    try await read(file, statements)
                }
                #expect(error?.code == .malformedExtract && error?.fileLine == index + 1, "\(line)")
            }
        }
    }

    @Test func `each change is found, and the entry is named`() async throws {
        let harness = try await harness()
        let (bytes, statements) = (try await extract(of: harness), try statements(harness))
        let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n").map(String.init)
        func error(_ lines: [String]) async -> AuditError? {
            do {
                _ = try await read(Array((lines.joined(separator: "\n") + "\n").utf8), statements)
                return nil
            } catch { return error as? AuditError }
        }
        #expect(await error(lines) == nil)
        let fields = [#""event":""#, #""time":1"#, #""proof":[""#, #""subject":""#, #""actor":""#]
        for index in 1..<lines.count {
            let number = try #require(lines[index].firstMatch(of: /"sequence":(\d+)/).flatMap { Int64($0.output.1) })
            for field in fields where lines[index].contains(field) {
                var changed = lines
                // Another character of the same kind follows the name of the field.
                let place = try #require(changed[index].firstRange(of: field)).upperBound
                let digit = changed[index][place]
                changed[index].replaceSubrange(place...place, with: digit == "1" ? "2" : "1")
                let found = await error(changed)
                #expect(
                    found?.code == .alteredEntry && found?.entry == number, "\(field) of \(lines[index])")
            }
            var (missing, twice, swapped, named) = (lines, lines, lines, lines)
            named[index].replaceSubrange(...named[index].startIndex, with: #"{"account":"bob@master","#)
            let nameError = await error(named)
            #expect(nameError?.code == .alteredEntry && nameError?.entry == number)
            missing.remove(at: index)
            #expect(await error(missing)?.code == .incompleteExtract)
            twice.insert(lines[index], at: index)
            let repetitionError = await error(twice)
            #expect(repetitionError?.code == .alteredEntry && repetitionError?.entry == number)
            guard index > 1 else { continue }
            swapped.swapAt(index, index - 1)
            #expect(await error(swapped) != nil)
        }
        // An entry of another user has its own proof in the extract of that user.
        let other = String(decoding: try await extract(Self.bob, of: harness), as: UTF8.self).split(separator: "\n")
        var mixed = lines
        mixed[1] = String(other[1])
        #expect(await error(mixed) != nil)
        for count in [0, 1, bytes.count / 2, bytes.count - 1] {
            await #expect(throws: AuditError.self) { try await read(Array(bytes.prefix(count)), statements) }
        }
        await #expect(throws: AuditError.self) { try await read(bytes + [0x41], statements) }
        let long = await #expect(throws: AuditError.self) {
            try await read([UInt8](repeating: 0x41, count: 20_000), statements)
        }
        #expect(long?.code == .malformedExtract && long?.fileLine == 1)
    }

    @Test func `statements of another platform and a wrong fingerprint are refused`() async throws {
        let harness = try await harness(devices: 1)
        let bytes = try await extract(of: harness)
        let other = try await Harness(random: SeededRandomSource(seed: 2))
        await #expect(throws: AuditError(.unsignedExtract)) { try await read(bytes, statements(other)) }
        await #expect(throws: AuditError(.platformKeys)) {
            try await read(bytes, statements(harness), fingerprint: String(repeating: "00", count: 32))
        }
        await #expect(throws: AuditError(.platformKeys)) { try await read(bytes, Array("{}".utf8)) }
        await #expect(throws: PlatformError(.unknownUser)) { try await extract("carol@master", of: harness) }
        // The statements from before a replacement of the audit key do not have the new one.
        let before = try statements(harness)
        try await harness.platform.rotateKeys(.audit)
        let later = try await extract(of: harness)
        #expect(try await read(later, statements(harness)).file.count > 0)
        await #expect(throws: AuditError(.unsignedExtract)) { try await read(later, before) }
        #expect(try await read(bytes, statements(harness)).file.count > 0)
    }

    @Test func `what was pruned is not in the extract, which says so`() async throws {
        let harness = try await harness()
        let size = try await harness.platform.auditCheckpoint().size
        harness.time.advance(seconds: 10)
        _ = try await harness.activate(Self.alice)
        try await harness.pruneAudit(before: harness.time.now().advanced(milliseconds: -5_000))
        let (file, entries) = try await read(extract(of: harness), statements(harness))
        #expect(file.pruned == size && entries.count == file.count && entries.count > 2)
        #expect(entries.allSatisfy { $0.sequence > size })
    }
}
