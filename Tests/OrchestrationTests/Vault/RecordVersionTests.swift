import Crypto
import OrchestrationProtocol
import OrchestrationTesting
import Primitives
import TestSupport
import Testing

@testable import Orchestration

/// Records of newer versions with other fields, and damaged records.
@Suite struct RecordVersionTests {
    private let record = try? Sample.record()

    @Test func `every field that a record may have is written, and read again`() throws {
        var record = try #require(record)
        let always = try #require(try CBORValue(decoding: record.encoded).fields).keys
        record.activatedAt = Timestamp(secondsSinceEpoch: 1_767_000_100)
        record.notificationIdentifier = "pull:1"
        record.ratchetInput = Sample.key(0x66)
        record.replacedDevice = [UInt8](repeating: 8, count: 16)
        record.nextPINPolicy = .default
        record.synchronizedCounters = [4: 7]
        record.notices = [
            AccountNoticeForm(
                number: 1, kind: 99, time: Timestamp(secondsSinceEpoch: 1_767_000_400),
                device: [UInt8](repeating: 6, count: 16))
        ]
        record.synchronizedCounters = [4: 17]
        record.deviceData.latest = .init(
            hash: [UInt8](repeating: 1, count: 32), sentAt: Timestamp(secondsSinceEpoch: 1_767_000_200),
            isRefused: false)
        record.pendingAnswers = [
            PendingAnswer(
                id: [UInt8](repeating: 2, count: 16), expiry: Timestamp(secondsSinceEpoch: 1_767_000_300), answer: [3])
        ]
        record.enroll(
            EnrolledMethodKey(method: .biometric, handle: [4], publicKey: [UInt8](repeating: 5, count: 33)))
        let bytes = record.encoded
        let all = try #require(try CBORValue(decoding: bytes).fields).keys
        #expect(
            Set(all).subtracting(always) == [
                "activatedAt", "approvalAnswers", "deviceData", "enrolledMethods", "nextPINPolicy", "notices",
                "notificationID",
                "ratchetInput", "replacedDevice", "syncedCounters",
            ])
        #expect(always.count == 24 && all.count == 34)
        let read = try UserRecord(decoding: bytes, allowedCosts: [.testing])
        // A field that is asked for too late is an unknown one.
        #expect(read.unknownFields.isEmpty && read.encoded == bytes)
    }

    @Test func `a field of a newer version survives a change by this one`() async throws {
        let (store, keys) = (MemoryStore(), SoftwareDeviceKeys(inMemory: try Sample.salts()))
        let vault = try Sample.vault(store, keys)
        let newer = try with([
            ("a", .array([.unsigned(7)])), ("ratchetIndey", .null),
            ("zzzzzzzzzzzzzzzzz", .map([.text("x"): .bytes([1, 2])])),
        ])
        let record = try UserRecord(decoding: newer, allowedCosts: [.testing])
        #expect(record.encoded == newer)
        try await vault.create(record, key: keys.makeKey(for: vault.name(for: record.account)))
        try await vault.update(record.account) { $0.ratchetIndex = 41 }
        let changed = try #require(try await vault.record(record.account))
        let fields = try #require(try CBORValue(decoding: changed.encoded).fields)
        #expect(fields["ratchetIndex"] == .unsigned(41))
        #expect(fields["a"] == .array([.unsigned(7)]))
        #expect(fields["ratchetIndey"] == .null)
        #expect(fields["zzzzzzzzzzzzzzzzz"] == .map([.text("x"): .bytes([1, 2])]))
        #expect(changed.unknownFields.map(\.name) == ["a", "ratchetIndey", "zzzzzzzzzzzzzzzzz"])
    }

    @Test func `a field that must be understood refuses the record until the app is updated`() throws {
        for name in ["!", "!binding", "!zzzzzzzzzzzzzzzzzzzz"] {
            let bytes = try with([(name, .unsigned(1))])
            #expect(throws: OrchestrationError(.storeNewerVersion)) {
                try UserRecord(decoding: bytes, allowedCosts: [.testing])
            }
        }
        var record = try #require(record)
        let algorithm = try replacing("keyAlgorithm", by: .integer(-49), in: record.encoded)
        #expect(throws: OrchestrationError(.storeNewerVersion)) {
            try UserRecord(decoding: algorithm, allowedCosts: [.testing])
        }
        record.state = .locked(.cloneSuspected)
        let unknown = try replacing("state", by: .array([.unsigned(3), .text("stolen")]), in: record.encoded)
        #expect(throws: OrchestrationError(.storeNewerVersion)) {
            try UserRecord(decoding: unknown, allowedCosts: [.testing])
        }
    }

    @Test func `every missing, doubled or misplaced field is corrupt`() throws {
        let record = try #require(record)
        guard case .map(let map) = try CBORValue(decoding: record.encoded) else { throw Missing() }
        let fields = map.sorted { $0.key.encoded.lexicographicallyPrecedes($1.key.encoded) }.map { ($0.key, $0.value) }
        for index in fields.indices {
            var bad = fields
            bad.remove(at: index)
            try expectCorrupt(bad)
            bad = fields
            bad.insert(fields[index], at: index)
            try expectCorrupt(bad)
            guard index > 0 else { continue }
            bad = fields
            bad.swapAt(index, index - 1)
            try expectCorrupt(bad)
        }
        try expectCorrupt([])
        let many = (10..<27).map { (CBORValue.text("zzzzzzzzzzzzzzzz\($0)"), CBORValue.null) }
        try expectCorrupt(fields + many)
        #expect(throws: Never.self) { try decode(fields + many.dropLast()) }
        try expectCorrupt([(.text(""), .null)] + fields)
        try expectCorrupt(fields + [(.text(String(repeating: "z", count: 65)), .null)])
        try expectCorrupt(fields + [(.unsigned(1), .null)])
    }

    @Test func `every flipped bit and every prefix of a record is refused or read as what it says`() throws {
        var record = try #require(record)
        record.notificationIdentifier = "pull:1"
        record.capabilities = [1, 3]
        let good = record.encoded
        for bad in good.bitFlips {
            guard let read = try? UserRecord(decoding: bad, allowedCosts: [.testing]) else { continue }
            #expect(read.encoded == bad)
        }
        for bad in good.truncations {
            #expect(throws: OrchestrationError(.storeCorrupt)) {
                try UserRecord(decoding: bad, allowedCosts: [.testing])
            }
        }
        #expect(throws: OrchestrationError(.storeCorrupt)) {
            try UserRecord(decoding: good + [0], allowedCosts: [.testing])
        }
    }

    @Test func `a lock reason is stored by its raw value`() throws {
        var record = try #require(record)
        for reason in LockReason.allCases {
            record.state = .locked(reason)
            let fields = try #require(try CBORValue(decoding: record.encoded).fields)
            #expect(fields["state"] == .array([.unsigned(3), .text(reason.rawValue)]))
            #expect(try UserRecord(decoding: record.encoded, allowedCosts: [.testing]).state == record.state)
        }
    }

    private struct Missing: Error {}

    /// Returns the sample record with more fields, in the order of deterministic CBOR.
    private func with(_ extra: [(String, CBORValue)]) throws -> [UInt8] {
        guard let record, case .map(var fields) = try CBORValue(decoding: record.encoded) else { throw Missing() }
        for (name, value) in extra { fields[.text(name)] = value }
        return CBORValue.map(fields).encoded
    }

    private func replacing(_ name: String, by value: CBORValue, in record: [UInt8]) throws -> [UInt8] {
        guard case .map(var fields) = try CBORValue(decoding: record) else { throw Missing() }
        fields[.text(name)] = value
        return CBORValue.map(fields).encoded
    }

    private func decode(_ fields: [(CBORValue, CBORValue)]) throws -> UserRecord {
        var head = CBORWriter()
        head.map(fields.count)
        var bytes = head.bytes
        for (name, value) in fields { bytes += name.encoded + value.encoded }
        return try UserRecord(decoding: bytes, allowedCosts: [.testing])
    }

    private func expectCorrupt(_ fields: [(CBORValue, CBORValue)]) throws {
        #expect(throws: OrchestrationError(.storeCorrupt)) { try decode(fields) }
    }
}
