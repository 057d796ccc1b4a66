import Foundation
import OrchestrationTesting
import Primitives
import TestSupport
import Testing

@testable import TrustedIdentity

/// The tree of the audit log of a platform on a store in memory.
struct AuditTreeTests {
    @Test func `the leaf of an entry is the CBOR array of the article`() {
        let full = AuditEntry(
            sequence: 7, id: [UInt8](repeating: 9, count: 16), time: Timestamp(millisecondsSinceEpoch: 1_000),
            event: .loginAccepted, account: "alice@master",
            subject: [UInt8](repeating: 1, count: 16), device: [UInt8](repeating: 2, count: 16),
            reason: "oneTimePassword", actor: .apiKey("k1"), correlationID: "c-1", address: "192.0.2.1",
            decision: [UInt8](repeating: 3, count: 16))
        let empty = AuditEntry(sequence: 1, time: Timestamp(millisecondsSinceEpoch: -1), event: "x")
        let start = "8c" + "7821" + Hex.encode(Array("swift-orchestration/1 audit entry".utf8)) + "6174"
        let leaf = AuditLeaf(tenant: "t")
        #expect(Hex.encode(leaf.data(of: empty)) == start + "40" + "20" + "6178" + "f6f660f6f6f6f6")
        #expect(
            Hex.encode(leaf.data(of: full)) == start + "50" + String(repeating: "09", count: 16) + "1903e8"
                + "6e" + Hex.encode(Array("login.accepted".utf8)) + "50" + String(repeating: "01", count: 16)
                + "50" + String(repeating: "02", count: 16) + "6f" + Hex.encode(Array("oneTimePassword".utf8))
                + "6a" + Hex.encode(Array("api-key:k1".utf8)) + "63" + Hex.encode(Array("c-1".utf8))
                + "69" + Hex.encode(Array("192.0.2.1".utf8)) + "50" + String(repeating: "03", count: 16))
    }

    @Test(arguments: [-1, 0, 1])
    func `entries around the size of a batch all get their places`(more: Int) async throws {
        let harness = try await Harness()
        let count = Platform.auditBatch + more
        try await harness.platform.store.write { [now = harness.time.now()] store in
            for _ in 0..<count { try store.append(AuditEntry(time: now, event: "test.nothing")) }
        }
        try await harness.platform.numberAudit()
        let readiness = try await harness.platform.readiness()
        #expect(readiness.waitingAuditEntries == 0 && readiness.waitingAuditAge == .zero)
        #expect(try await harness.platform.auditCheckpoint().size == Int64(count))
        #expect(try await harness.platform.verifyAudit().findings.isEmpty)
    }

    @Test func `the tree grows with each entry, and earlier checkpoints stay right`() async throws {
        let harness = try await Harness()
        let empty = try await harness.platform.auditCheckpoint()
        #expect(empty.size == 0 && empty.root == MerkleTree.emptyRoot)
        #expect(try await harness.platform.proveAudit(entry: 1) == nil)
        #expect(try await harness.platform.verifyAudit(against: [empty]).findingCount == 0)
        _ = try await harness.activate()
        var checkpoints = [empty]
        for _ in 0..<70 {
            try await harness.append()
            checkpoints.append(try await harness.platform.auditCheckpoint())
        }
        let result = try await harness.platform.verifyAudit(against: checkpoints)
        #expect(result.findingCount == 0 && result.findings.isEmpty && result.size == checkpoints.last?.size)
        let rows = try await harness.store.read { try $0.auditRows(from: 1, limit: 1_000) }
        var tree = MerkleForest()
        for row in rows { tree.append(AuditLeaf(tenant: "default").hash(of: row)) }
        #expect(tree.root == checkpoints.last?.root && tree.last == result.size)
    }

    @Test func `each entry has an inclusion proof, and each earlier size a consistency proof`() async throws {
        let harness = try await Harness()
        _ = try await harness.activate()
        for _ in 0..<20 { try await harness.append() }
        let last = try await harness.platform.auditCheckpoint()
        var tree = MerkleForest()
        for row in try await harness.store.read({ try $0.auditRows(from: 1, limit: 1_000) }) {
            tree.append(AuditLeaf(tenant: "default").hash(of: row))
            let proof = try #require(try await harness.platform.proveAudit(entry: row.sequence))
            #expect(proof.leaf == AuditLeaf(tenant: "default").data(of: row))
            #expect(proof.index == row.sequence - 1 && proof.checkpoint.root == last.root)
            #expect(
                ProofVerifier.isIncluded(
                    MerkleTree.leafHash(proof.leaf), at: proof.index, in: last.size, root: last.root,
                    proof: proof.hashes))
            let lines = proof.text.components(separatedBy: "\n")
            #expect(lines[0] == "c2sp.org/tlog-proof@v1" && lines[2] == "index \(proof.index)")
            #expect(lines[3 + proof.hashes.count].isEmpty && proof.text.hasSuffix("\n" + proof.checkpoint.note))
            let growth = try #require(try await harness.platform.proveAudit(since: tree.last))
            #expect(growth.earlierSize == tree.last && growth.text.hasPrefix("old \(tree.last)\n"))
            #expect(
                ProofVerifier.isConsistent(
                    from: tree.last, tree.root ?? [], to: last.size, last.root, proof: growth.hashes))
        }
        for sequence in [0, -1, .min, .max, last.size + 1] as [Int64] {
            #expect(try await harness.platform.proveAudit(entry: sequence) == nil)
            #expect(try await harness.platform.proveAudit(since: sequence) == nil)
        }
    }

    @Test func `a checkpoint of a replaced key stays right, and names its key`() async throws {
        let harness = try await Harness()
        _ = try await harness.register()
        let (first, firstKey) = (try await harness.platform.auditCheckpoint(), harness.platform.auditVerifierKey)
        try await harness.platform.rotateKeys(.audit)
        let (second, secondKey) = (try await harness.platform.auditCheckpoint(), harness.platform.auditVerifierKey)
        #expect(firstKey != secondKey && firstKey.hasPrefix(first.origin + "+") && first.origin == second.origin)
        #expect(try harness.platform.checkpoint(of: first.note) == first)
        #expect(try await harness.platform.verifyAudit(against: [first, second]).findingCount == 0)
        // Another platform has another log, although its rows may be the same.
        let other = try await Harness(random: SeededRandomSource(seed: 2))
        #expect(throws: AuditError(.otherLog)) { try other.platform.checkpoint(of: first.note) }
    }

    @Test func `an account that is removed changes no leaf`() async throws {
        let harness = try await Harness()
        _ = try await harness.activate()
        let before = try await harness.platform.auditCheckpoint()
        try await harness.platform.unregister(Harness.account())
        #expect(try await harness.platform.audit(limit: 100).allSatisfy { $0.account == nil })
        #expect(try await harness.platform.verifyAudit(against: [before]).findingCount == 0)
    }

    @Test func `a log that was put back as a whole is detected by an earlier checkpoint`() async throws {
        let harness = try await Harness()
        _ = try await harness.register()
        let early = try harness.snapshot()
        for _ in 0..<10 { try await harness.append() }
        let checkpoint = try await harness.platform.auditCheckpoint()
        let back = try await harness.restarted(on: early)
        let short = try await back.platform.verifyAudit(against: [checkpoint])
        #expect(short.findings == [.shorterThanCheckpoint(checkpoint.size)] && short.findingCount == 1)
        back.time.advance(seconds: 1)
        for _ in 0..<20 { try await back.append() }
        let other = try await back.platform.verifyAudit(against: [checkpoint])
        #expect(other.findings == [.otherThanCheckpoint(checkpoint.size)])
        #expect(try await back.platform.verifyAudit().findingCount == 0)
    }
}
