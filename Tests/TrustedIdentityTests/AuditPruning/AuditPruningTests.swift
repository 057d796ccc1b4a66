import OrchestrationTesting
import Primitives
import Synchronization
import TestSupport
import Testing

@testable import TrustedIdentity

/// The pruning of the audit log, on a store in memory and in SQLite.
@Suite struct AuditPruningTests {
    enum Kind: CaseIterable {
        case memory, sqlite
    }

    let folder: TemporaryFolder
    /// The number of the next database.
    private let number = Counter()

    init() throws { folder = try TemporaryFolder() }

    private func harness(_ kind: Kind = .memory, entries: Int = 20) async throws -> Harness {
        let store: SQLiteDatabase? =
            switch kind {
            case .memory: nil
            case .sqlite: try await SQLiteDatabase(path: folder.file("\(number.next()).sqlite"))
            }
        let harness = try await Harness(on: store)
        for _ in 0..<entries {
            try await harness.append()
            harness.time.advance(seconds: 10)
        }
        return harness
    }

    /// The time before which the first entries are.
    private func time(_ harness: Harness, after count: Int64) async throws -> Timestamp {
        let entry = try await harness.platform.read { try $0.auditEntries(from: count + 1, limit: 1).first }
        return try #require(entry).time
    }

    @Test(arguments: Kind.allCases)
    func `what remains is verified, signed and proven as before, and the file is verified alone`(
        kind: Kind
    ) async throws {
        for size in [1, 7, 8, 13, 19] as [Int64] {
            let harness = try await harness(kind)
            var checkpoints: [AuditCheckpoint] = []
            checkpoints.append(try await harness.platform.auditCheckpoint())
            let bytes = try await harness.pruneAudit(before: time(harness, after: size))
            #expect(try await harness.auditNumbers() == Array(size + 1...21))
            #expect(try await harness.events(.auditPruned).map(\.reason) == ["\(size)"])
            for _ in 0..<12 {
                checkpoints.append(try await harness.platform.auditCheckpoint())
                try await harness.append()
            }
            let result = try await harness.platform.verifyAudit(against: checkpoints)
            #expect(result.findings.isEmpty && result.size == 33 && result.uncompared.isEmpty)
            #expect(result.pruned?.size == size)

            let last = try await harness.platform.auditCheckpoint()
            for row in try await harness.platform.read({ try $0.auditRows(from: 1, limit: 99) }) {
                let proof = try #require(try await harness.platform.proveAudit(entry: row.sequence))
                #expect(
                    ProofVerifier.isIncluded(
                        MerkleTree.leafHash(proof.leaf), at: proof.index, in: last.size, root: last.root,
                        proof: proof.hashes))
            }
            for earlier in checkpoints {
                let growth = try #require(try await harness.platform.proveAudit(since: earlier.size))
                #expect(
                    ProofVerifier.isConsistent(
                        from: earlier.size, earlier.root, to: last.size, last.root, proof: growth.hashes))
            }
            let file = try await harness.prunedFile(bytes)
            #expect(file.part == AuditPart(first: 1, last: size, root: try #require(result.pruned).root))
            #expect(try await harness.platform.proveAudit(since: size) != nil)
            // After a start, too.
            if kind == .memory { #expect(try await harness.restarted().platform.verifyAudit().findings.isEmpty) }
        }
    }

    @Test func `what was pruned is refused by name, and listed as not compared`() async throws {
        let harness = try await harness()
        var early: [AuditCheckpoint] = []
        let fresh = try await self.harness(entries: 0)
        for _ in 0..<12 {
            try await fresh.append()
            early.append(try await fresh.platform.auditCheckpoint())
            fresh.time.advance(seconds: 10)
        }
        let bytes = try await fresh.pruneAudit(before: time(fresh, after: 9))
        for entry in 1...9 as ClosedRange<Int64> {
            await #expect(throws: PlatformError(.prunedEntry)) { try await fresh.platform.proveAudit(entry: entry) }
            await #expect(throws: PlatformError(.prunedEntry)) { try await fresh.platform.exportAudit(from: entry) }
            guard entry < 9 else { continue }
            await #expect(throws: PlatformError(.prunedEntry)) { try await fresh.platform.proveAudit(since: entry) }
        }
        #expect(try await fresh.platform.exportAudit().range.lowerBound == 10)
        let result = try await fresh.platform.verifyAudit(against: early)
        #expect(result.findings.isEmpty && result.uncompared.map(\.size) == Array(1...8))
        let file = try await fresh.prunedFile(bytes, sizes: Set(1...12), chunk: 7)
        for root in result.uncompared {
            #expect(file.compare(root) == true)
            #expect(file.compare(.init(size: root.size, root: MerkleTree.emptyRoot)) == false)
        }
        #expect(file.compare(.init(size: 9, root: file.part.root)) == true)
        #expect(file.compare(.init(size: 10, root: file.part.root)) == nil)
        _ = harness
    }

    @Test(arguments: Kind.allCases)
    func `the log is pruned again and again, and the files follow one another`(kind: Kind) async throws {
        let harness = try await harness(kind, entries: 60)
        let checkpoint = try await harness.platform.auditCheckpoint()
        var files: [PrunedAuditFile] = []
        for size in [5, 6, 30, 31, 58] as [Int64] {
            let bytes = try await harness.pruneAudit(before: time(harness, after: size))
            files.append(try await harness.prunedFile(bytes))
            let result = try await harness.platform.verifyAudit(against: [checkpoint])
            #expect(result.findings.isEmpty && result.pruned?.size == size)
            #expect(try await harness.platform.proveAudit(since: size) != nil)
        }
        #expect(files.map(\.part.first) == [1, 6, 7, 31, 32])
        for (earlier, later) in zip(files, files.dropFirst()) {
            try later.requireFollowing(earlier)
            #expect(throws: AuditError(.notFollowing)) { try earlier.requireFollowing(later) }
        }
        #expect(throws: AuditError(.notFollowing)) { try files[2].requireFollowing(files[0]) }
    }

    @Test func `a wrong date, an empty range and the last entry are refused`() async throws {
        let harness = try await harness()
        let future = harness.time.now().advanced(milliseconds: 1)
        await #expect(throws: AuditError(.futureTime)) { try await harness.exportAudit(before: future) }
        let first = try await time(harness, after: 0)
        await #expect(throws: AuditError(.nothingToPrune)) { try await harness.exportAudit(before: first) }
        try await harness.pruneAudit(before: harness.time.now())
        #expect(try await harness.auditNumbers() == [20, 21])
        harness.time.advance(seconds: 1)
        try await harness.pruneAudit(before: harness.time.now())
        #expect(try await harness.auditNumbers() == [21, 22])
        let empty = try await self.harness(entries: 0)
        await #expect(throws: AuditError(.nothingToPrune)) {
            try await empty.exportAudit(before: empty.time.now())
        }
    }

    @Test func `an entry with an earlier time behind a later one ends the part before it`() async throws {
        let harness = try await harness(entries: 5)
        let (start, later) = (harness.time.now(), harness.time.now().advanced(milliseconds: 100_000))
        try await harness.platform.store.write { store in
            for milliseconds in [1, 200_000, 2] as [Int64] {
                try store.append(AuditEntry(time: start.advanced(milliseconds: milliseconds), event: "x"))
            }
        }
        harness.time.advance(seconds: 300)
        try await harness.append()
        try await harness.pruneAudit(before: later)
        #expect(try await harness.auditNumbers().first == 7)
    }

    @Test func `a file that is not that of the date, or of another root, prunes nothing`() async throws {
        let harness = try await harness()
        let date = try await time(harness, after: 8)
        let part = try await harness.prunedFile(harness.exportAudit(before: date)).part
        var parts = [part, part, part, part]
        parts[0].first = 2
        parts[1].last = 7
        parts[2].last = 9
        parts[3].root = MerkleTree.emptyRoot
        // A part without entries, before the first pruning.
        parts.append(AuditPart(first: 1, last: 0, root: MerkleTree.emptyRoot))
        for wrong in parts {
            await #expect(throws: AuditError(.otherPart)) {
                try await harness.platform.pruneAudit(wrong, before: date)
            }
        }
        #expect(try await harness.auditNumbers().count == 20)
        #expect(try await harness.platform.pruneAudit(part, before: date))
        // The same file again, while rows are left and afterwards.
        #expect(try await !harness.platform.pruneAudit(part, before: date))
        while try await harness.platform.removePrunedRows() != nil {}
        #expect(try await !harness.platform.pruneAudit(part, before: date))
        let next = try await time(harness, after: 12)
        await #expect(throws: AuditError(.otherPart)) {
            try await harness.platform.pruneAudit(part, before: next)
        }
        #expect(try await harness.events(.auditPruned).count == 1)
    }

    @Test func `entries that come between the export and the decision stay`() async throws {
        let harness = try await harness(entries: 5)
        let date = harness.time.now()
        // The last entry of the log is before the date, and is not in the file, because it is the last one.
        let part = try await harness.prunedFile(harness.exportAudit(before: date)).part
        #expect(part.last == 4)
        for _ in 0..<3 { try await harness.append() }
        #expect(try await harness.platform.pruneAudit(part, before: date))
        while try await harness.platform.removePrunedRows() != nil {}
        #expect(try await harness.auditNumbers() == Array(5...9))
        #expect(try await harness.platform.verifyAudit().findings.isEmpty)
    }

    @Test func `the file of a pruning is accepted again for its date, also when the last entry was before it`()
        async throws
    {
        // The decision comes at once, and after other entries.
        for between in [0, 3] {
            let harness = try await harness(entries: 5)
            let date = harness.time.now()
            let part = try await harness.prunedFile(harness.exportAudit(before: date)).part
            #expect(part.last == 4)
            for _ in 0..<between {
                harness.time.advance(seconds: 1)
                try await harness.append()
            }
            #expect(try await harness.platform.pruneAudit(part, before: date))
            while try await harness.platform.removePrunedRows() != nil {}
            #expect(try await !harness.platform.pruneAudit(part, before: date))
            // Entry 6 is before the later date, so that entry 5 was not the last one.
            harness.time.advance(seconds: 1)
            await #expect(throws: AuditError(.otherPart)) {
                try await harness.platform.pruneAudit(part, before: harness.time.now())
            }
            #expect(try await harness.events(.auditPruned).count == 1)
            #expect(try await harness.auditNumbers().first == 5)
        }
    }

    @Test func `each change of a file is found`() async throws {
        let harness = try await harness(entries: 12)
        try await harness.pruneAudit(before: time(harness, after: 3))
        let bytes = try await harness.exportAudit(before: time(harness, after: 9))
        #expect(try await harness.prunedFile(bytes).part.first == 4)
        // The HMAC and the name of its key are for the platform.
        let end = bytes.count - 64 - 3
        let key = Array(#""platform":"\#(harness.platform.dataKeys.id)""#.utf8)
        let place = try #require(bytes.indices.first { bytes[$0...].starts(with: key) })
        for position in 0..<end where !(place..<place + key.count).contains(position) {
            var changed = bytes
            changed[position] ^= 1
            await #expect(throws: AuditError.self, "byte \(position)") { try await harness.prunedFile(changed) }
        }
        for count in [0, 1, bytes.count / 2, bytes.count - 1] {
            await #expect(throws: AuditError.self) { try await harness.prunedFile(Array(bytes.prefix(count))) }
        }
        await #expect(throws: AuditError.self) { try await harness.prunedFile(bytes + bytes) }
        // A line in another form than the canonical one, which no leaf shows.
        let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n").map(String.init)
        for index in [0, lines.count - 2, lines.count - 1] {
            for line in [
                #"{"a":1,"# + lines[index].dropFirst(), lines[index].replacing(",", with: ", ", maxReplacements: 1),
                lines[index].replacing(#","#, with: #","zz":null,"#, maxReplacements: 1),
            ] {
                var changed = lines
                changed[index] = line
                let file = Array((changed.joined(separator: "\n") + "\n").utf8)
                await #expect(throws: AuditError(.altered), "\(line)") { try await harness.prunedFile(file) }
            }
        }
        let export = try await harness.exportAudit(from: 4)
        await #expect(throws: AuditError(.notPruned)) { try await harness.prunedFile(export) }
        let other = try await Harness(random: SeededRandomSource(seed: 2))
        await #expect(throws: AuditError(.notSigned)) { try await other.prunedFile(bytes) }
        await #expect(throws: AuditError(.malformedKey)) {
            try await PrunedAuditFile(reading: AsyncStream<[UInt8]> { $0.finish() }, verifierKeys: ["x"])
        }
    }

    @Test func `the file has no names of users, and one that was added is refused`() async throws {
        let harness = try await Harness()
        _ = try await harness.activate()
        harness.time.advance(seconds: 10)
        try await harness.append()
        #expect(try await String(decoding: harness.exportAudit(from: 1), as: UTF8.self).contains(#""account":"#))
        let bytes = try await harness.exportAudit(before: harness.time.now())
        let text = String(decoding: bytes, as: UTF8.self)
        #expect(!text.contains("account\"") && !text.contains("alice") && text.contains(#""subject":"#))
        #expect(try await harness.prunedFile(bytes).part.first == 1)
        let named = #"{"account":"bob@master","# + text.dropFirst()
        await #expect(throws: AuditError(.notSigned)) { try await harness.prunedFile(Array(named.utf8)) }
    }

    @Test func `rows that are left are removed by the maintenance, and count for nothing until then`() async throws {
        let harness = try await harness(entries: 250)
        let date = try await time(harness, after: 240)
        let part = try await harness.prunedFile(harness.exportAudit(before: date)).part
        try await harness.platform.pruneAudit(part, before: date)
        #expect(try await harness.auditNumbers().count == 251)
        let size = try await harness.platform.auditCheckpoint().size
        #expect(size == 251)
        #expect(try await harness.platform.verifyAudit().findings.isEmpty)
        #expect(try await harness.platform.exportAudit().range.lowerBound == 241)
        let restarted = try await harness.restarted()
        #expect(try await Maintenance(restarted.platform).runOnce())
        #expect(try await restarted.auditNumbers().first == 241)
        #expect(try await restarted.platform.verifyAudit().findings.isEmpty)
        #expect(try await restarted.platform.read { try $0.currentState().prunedAudit?.hasRows } == false)
    }

    @Test func `a walk over a log that is pruned meanwhile begins again`() async throws {
        let store = HookedReads(SQLiteDatabase.inMemory())
        let harness = try await Harness(on: store)
        for _ in 0..<6_000 { try await harness.append() }
        harness.time.advance(seconds: 10)
        for _ in 0..<3_000 { try await harness.append() }
        let date = harness.time.now()
        let part = try await harness.prunedFile(harness.exportAudit(before: date)).part
        #expect(part.last == 6_000)
        store.hook.withLock { hook in
            // After the first page of rows.
            hook = (5, { _ = try? await harness.platform.pruneAudit(part, before: date) })
        }
        let result = try await harness.platform.verifyAudit()
        #expect(result.findings.isEmpty && result.pruned?.size == 6_000)
        #expect(store.hook.withLock { $0 == nil })
    }

    @Test func `a crash at any write loses no entry, and the same calls go on after it`() async throws {
        var crashes = 0
        for write in 0..<40 {
            let harness = try await harness(entries: 320)
            let before = try await harness.platform.read { try $0.auditRows(from: 1, limit: 1_000) }
            let date = try await time(harness, after: 310)
            let bytes = try await harness.exportAudit(before: date)
            let part = try await harness.prunedFile(bytes).part
            let store = CrashingStore(harness.store)
            let fragile = try await Harness(
                harness.configuration, store: harness.store, on: store, time: harness.time, random: harness.random)
            store.crash(atWrite: write, afterCommit: write.isMultiple(of: 2))
            do {
                try await fragile.platform.pruneAudit(part, before: date)
                while try await fragile.platform.removePrunedRows() != nil {}
            } catch {
                #expect(store.hasCrashed)
            }
            let rows = try await harness.store.read { try $0.auditRows(from: 1, limit: 1_000) }
            // Each entry is in the file or in the database.
            #expect(before.filter { $0.sequence > part.last }.allSatisfy(rows.contains))
            let after = try await harness.restarted()
            #expect(try await after.platform.verifyAudit().findings.isEmpty)
            try await after.platform.pruneAudit(part, before: date)
            while try await after.platform.removePrunedRows() != nil {}
            #expect(try await after.auditNumbers().first == 311)
            #expect(try await after.platform.verifyAudit().findings.isEmpty)
            #expect(try await after.events(.auditPruned).count == 1)
            guard store.hasCrashed else { break }
            crashes += 1
        }
        #expect((4..<40).contains(crashes))
    }
}

private final class Counter: Sendable {
    private let value = Mutex(0)

    func next() -> Int {
        value.withLock { value in
            value += 1
            return value
        }
    }
}

/// A store that runs work before one of its next reads.
private final class HookedReads: SQLDatabase {
    typealias Hook = (reads: Int, work: @Sendable () async -> Void)

    let hook = Mutex<Hook?>(nil)
    private let base: any SQLDatabase

    init(_ base: any SQLDatabase) { self.base = base }

    func read<R: Sendable>(_ body: @escaping @Sendable (any SQLSession) throws -> R) async throws -> R {
        let work = hook.withLock { hook -> (@Sendable () async -> Void)? in
            guard let next = hook else { return nil }
            hook = next.reads == 0 ? nil : (next.reads - 1, next.work)
            return next.reads == 0 ? next.work : nil
        }
        await work?()
        return try await base.read(body)
    }

    func write<R: Sendable>(_ body: @escaping @Sendable (any SQLSession) throws -> R) async throws -> R {
        try await base.write(body)
    }
}
