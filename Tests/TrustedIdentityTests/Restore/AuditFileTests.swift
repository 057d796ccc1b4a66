import Crypto
import Foundation
import OrchestrationTesting
import Primitives
import Testing

@testable import TrustedIdentity

/// The exported audit log: its form, and what is wrong with files that a restore refuses.
struct AuditFileTests {
    /// A backup, a later export, and a platform on the backup.
    struct Loss {
        let backup: Harness
        let file: [UInt8]
        let lost: Harness
    }

    func loss(_ configuration: PlatformConfiguration = .init(postQuantum: .off, requestsPerDevice: 6_000)) async throws
        -> Loss
    {
        let harness = try await Harness(configuration)
        _ = try await harness.register(staticPassword: "a horse")
        let key = try await harness.platform.createAPIKey(scope: .administrator, name: "lost")
        let backup = try harness.snapshot()
        try await harness.platform.revokeAPIKey(key.id)
        let file = try await harness.exportAudit()
        return Loss(backup: try await harness.restarted(on: backup), file: file, lost: harness)
    }

    /// Requires that a file is refused and nothing is changed.
    func refuses(_ file: [UInt8], on harness: Harness, as code: AuditError.Code, _ comment: Comment? = nil)
        async throws
    {
        let before = try await rows(harness)
        await #expect(throws: AuditError(code), comment) { _ = try await harness.restore(applying: file) }
        #expect(try await rows(harness) == before, comment)
    }

    func rows(_ harness: Harness) async throws -> [String] {
        try await harness.store.read { store in
            try [
                "\(store.platformState() as Any)", "\(store.accounts(after: nil, limit: 99))", "\(store.apiKeys())",
                "\(store.devices(after: nil, limit: 99))", "\(store.auditEntries(from: 1, limit: 99))",
            ]
        }
    }

    func lines(_ file: [UInt8]) -> [[UInt8]] { file.split(separator: 10).map { Array($0) + [10] } }

    @Test func `a file has a line for each entry, and an HMAC as the article says`() async throws {
        let harness = try await Harness()
        let device = try await harness.activate()
        try await device.send(.userDelete, to: harness)
        let file = try await harness.exportAudit()
        let lines = lines(file).map { String(decoding: $0, as: UTF8.self) }
        let entries = try await harness.platform.audit(limit: 100).reversed()
        #expect(lines.count == entries.count + 1)
        let ids = entries.map { Hex.encode($0.id) }
        #expect(Set(ids).count == ids.count && ids.allSatisfy { $0.count == 32 })
        let start = harness.time.now().millisecondsSinceEpoch
        let account = try await harness.store.read { try $0.account(Harness.alice) }
        let subject = Hex.encode(try #require(account?.subject))
        #expect(
            lines[0]
                == #"{"account":"alice@master","actor":"platform","event":"account.registered","id":"\#(ids[0])","sequence":1,"#
                + #""subject":"\#(subject)","time":\#(start)}"# + "\n")
        let id = Hex.encode(device.id)
        #expect(
            lines[lines.count - 3]
                == #"{"account":"alice@master","actor":"device:\#(id)","device":"\#(id)","event":"device.revoked","id":"\#(ids[ids.count - 2])","#
                + #""reason":"userDelete","sequence":\#(entries.count - 1),"subject":"\#(subject)","time":\#(start)}"#
                + "\n")
        #expect(
            lines[lines.count - 2]
                == #"{"actor":"platform","event":"audit.exported","id":"\#(ids[ids.count - 1])","sequence":\#(entries.count),"#
                + #""time":\#(start)}"# + "\n")
        let last = lines[lines.count - 1]
        #expect(
            last.hasPrefix(
                #"{"first":1,"last":\#(entries.count),"platform":"\#(harness.platform.dataKeys.id)","rows":\#(entries.count),"tenant":"default","version":1,"hmac":""#
            ))
        let code = HMAC<SHA256>.authenticationCode(
            for: file[..<(file.count - 67)], using: harness.platform.dataKeys.auditExport)
        #expect(last.hasSuffix(#""hmac":"\#(Hex.encode(Array(code)))"}"# + "\n"))
    }

    @Test func `a part of the log begins at the entry that is asked for, and an entry that is missing is an error`()
        async throws
    {
        let harness = try await Harness()
        for _ in 0..<3 { _ = try await harness.register() }
        let export = try await harness.platform.exportAudit(from: 3)
        #expect(export.range == 3...4)
        var bytes: [UInt8] = []
        for try await chunk in export { bytes += chunk }
        #expect(lines(bytes).count == 3)
        for first in [0, -1, 99, .max, .min] as [Int64] {
            await #expect(throws: PlatformError(.malformedRequest)) {
                _ = try await harness.platform.exportAudit(from: first)
            }
        }
        #expect(try await harness.events(.auditExported).count == 1)
    }

    @Test func `a long log is exported in chunks and applied`() async throws {
        let harness = try await Harness()
        let key = try await harness.platform.createAPIKey(scope: .administrator, name: "lost")
        for _ in 0..<700 { try await harness.append() }
        let backup = try harness.snapshot()
        for _ in 0..<700 { try await harness.append() }
        try await harness.platform.revokeAPIKey(key.id)
        var chunks = 0
        for try await _ in try await harness.platform.exportAudit() { chunks += 1 }
        #expect(chunks == 3)
        let after = try await harness.restarted(on: backup)
        let report = try await after.restore(applying: harness.exportAudit(from: 650), chunk: 17)
        #expect(report.apiKeys == 1)
    }

    @Test func `a file that is cut off is refused`() async throws {
        let loss = try await loss()
        try await refuses([], on: loss.backup, as: .cutOff)
        for length in stride(from: 1, to: loss.file.count, by: 7) {
            try await refuses(Array(loss.file[..<length]), on: loss.backup, as: .cutOff, "\(length)")
        }
        try await refuses(loss.file.dropLast(), on: loss.backup, as: .cutOff)
        #expect(try await loss.backup.restore(applying: loss.file).apiKeys == 1)
    }

    @Test func `a file of which a byte was changed is refused`() async throws {
        let loss = try await loss()
        let codes: Set<AuditError.Code> = [.altered, .cutOff, .otherPlatform]
        let before = try await rows(loss.backup)
        for position in loss.file.indices {
            var file = loss.file
            file[position] ^= 1
            let error = await #expect(throws: AuditError.self, "\(position)") {
                _ = try await loss.backup.restore(applying: file)
            }
            #expect(error.map { codes.contains($0.code) } == true, "\(position)")
        }
        #expect(try await rows(loss.backup) == before)
    }

    @Test func `a file with a line added, removed, repeated or moved is refused`() async throws {
        let loss = try await loss()
        let lines = lines(loss.file)
        for index in lines.indices.dropLast() {
            var removed = lines
            removed.remove(at: index)
            try await refuses(removed.flatMap(\.self), on: loss.backup, as: .altered, "\(index)")
            var repeated = lines
            repeated.insert(lines[index], at: index)
            try await refuses(repeated.flatMap(\.self), on: loss.backup, as: .altered, "\(index)")
            guard index + 2 < lines.count else { continue }
            var moved = lines
            moved.swapAt(index, index + 1)
            try await refuses(moved.flatMap(\.self), on: loss.backup, as: .altered, "\(index)")
        }
        for more in ["\n", "{}\n", "x"] {
            try await refuses(loss.file + more.utf8, on: loss.backup, as: .altered, "\(more)")
        }
        try await refuses(loss.file + loss.file, on: loss.backup, as: .altered)
        for line in ["x\n", "{}\n", #"{"event":"x","sequence":-9223372036854775808,"time":0}"# + "\n"] {
            try await refuses(Array(line.utf8) + loss.file, on: loss.backup, as: .altered, "\(line)")
        }
        // A line has 16,384 bytes at most.
        for (count, code) in [(16_384, AuditError.Code.cutOff), (16_385, .altered)] {
            try await refuses(
                [UInt8](repeating: 65, count: count), on: loss.backup, as: code, "a line without end, \(count)")
        }
    }

    @Test func `a file of another platform is refused`() async throws {
        let loss = try await loss()
        let tenant = try await self.loss(.init(tenant: "other", postQuantum: .off))
        try await refuses(tenant.file, on: loss.backup, as: .otherPlatform)
        let platform = try await Platform(
            configuration: loss.backup.configuration, database: SQLiteDatabase.inMemory(),
            masterKey: loss.backup.masterKey)
        _ = try await platform.createAPIKey(scope: .administrator, name: "x")
        var file: [UInt8] = []
        for try await chunk in try await platform.exportAudit() { file += chunk }
        try await refuses(file, on: loss.backup, as: .otherPlatform, "other data keys")
        // A forger names the keys of the platform.
        let (own, other) = (loss.backup.platform.dataKeys.id, platform.dataKeys.id)
        let forged = String(decoding: file, as: UTF8.self).replacing(other, with: own)
        try await refuses(Array(forged.utf8), on: loss.backup, as: .altered)
    }

    @Test func `a file that does not cover the time after the backup is refused`() async throws {
        let harness = try await Harness()
        let nothing = try harness.snapshot()
        _ = try await harness.register()
        let early = try await harness.exportAudit()
        _ = try await harness.register("bob@master")
        let backup = try harness.snapshot()
        for _ in 0..<3 { _ = try await harness.register("carol@master") }
        let late = try await harness.exportAudit(from: 5)
        let after = try await harness.restarted(on: backup)
        try await refuses(early, on: after, as: .notCovering, "it ends before the backup")
        try await refuses(late, on: after, as: .notCovering, "it begins after the end of the backup")
        let empty = try await harness.restarted(on: nothing)
        try await refuses(late, on: empty, as: .notCovering, "it begins after the end of an empty backup")
        let own = try await after.exportAudit()
        try await refuses(own, on: after, as: .notCovering, "it is of the restored store itself")
        try await after.platform.markRestored(revocations: .unknown)
        let later = try await after.exportAudit()
        try await refuses(later, on: after, as: .notCovering, "it was made after the restore")
    }

    @Test func `a file of a log that parted before the latest restore is refused`() async throws {
        let loss = try await loss()
        let harness = loss.backup
        try await harness.platform.markRestored(revocations: .nothingRevoked)
        _ = try await harness.register("bob@master")
        let second = try harness.snapshot()
        _ = try await harness.register("carol@master")
        let file = try await harness.exportAudit()
        let after = try await harness.restarted(on: second)
        // The latest restore is the first one. The file of the log before it belongs to it.
        #expect(try await after.restore(applying: loss.file).isLater)
        // The log has gone on, so that the second file parts from it after the first restore.
        #expect(try await !after.restore(applying: file).isLater)
        try await refuses(loss.file, on: after, as: .notCovering)
    }
}
