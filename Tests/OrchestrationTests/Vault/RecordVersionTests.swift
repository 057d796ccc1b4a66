import Crypto
import OrchestrationTesting
import Primitives
import TestSupport
import Testing
import Wire

@testable import Orchestration

/// Records of other versions: an earlier one with fields by position, and newer ones with other fields.
@Suite struct RecordVersionTests {
    /// The file `client/record-version-1.json`.
    private struct Version1: Decodable {
        let authenticatorSalt: String
        let storageSalt: String
        let account: String
        let record: String
        let files: [String: String]
    }

    private let record = try? Sample.record()

    @Test func `a record of version 1 is outdated, and the user can be deleted and activated again`() async throws {
        let vector = try Vectors.decode(Version1.self, "client/record-version-1.json")
        let folder = try TemporaryFolder()
        for (name, content) in vector.files { try folder.write([UInt8](hex: content), to: name) }
        let salts = try Salts(
            authenticator: [UInt8](hex: vector.authenticatorSalt), storage: [UInt8](hex: vector.storageSalt))
        let stage = try await Stage()
        let keys = SoftwareDeviceKeys(
            folder: try DiskFolder(path: folder.path), salts: salts, machine: MachineIdentity(bytes: []),
            random: SystemRandomSource(), ownsFolder: true)
        let orchestrator = try stage.orchestrator(store: try FileStore(directory: folder.url), keys: keys)
        let users = orchestrator.users
        #expect(try folder.files().count { $0.hasSuffix(".key") } == 1)

        let outdated = OrchestrationError(.storeOutdated)
        #expect(outdated.message.contains("earlier version") && outdated.message.contains("activate again"))
        await #expect(throws: outdated) { try await users.information(vector.account) }
        await #expect(throws: outdated) { try await users.isActivated(vector.account) }
        await #expect(throws: outdated) {
            try await orchestrator.authenticateLocally(.init(user: vector.account)).result()
        }
        let listed = try await users.list()
        #expect(listed.map(\.state) == [.unreadable(outdated)])
        #expect(listed.first?.storeName == (try users.storeName(of: vector.account)))
        // Another activation does not take its key file for an orphan.
        _ = try await keys.makeKey(for: users.storeName(of: "bob"))
        let files = try folder.files()
        for name in vector.files.keys { #expect(files.contains(name)) }

        #expect(try await users.delete(vector.account) == [Warning(.platformNotInformed)])
        for name in vector.files.keys { #expect(try !folder.files().contains(name)) }
        let code = try await stage.platform.register("alice")
        _ = try await orchestrator.activate(.init(user: vector.account, activationPassword: code)).result()
        #expect(try await users.isActivated(vector.account))
    }

    @Test func `the content of a record of version 1 is not read under the new seal`() throws {
        let vector = try Vectors.decode(Version1.self, "client/record-version-1.json")
        let bytes = [UInt8](hex: vector.record)
        #expect(throws: OrchestrationError(.storeCorrupt)) {
            try UserRecord(decoding: bytes, allowedCosts: ScryptCost.released)
        }
    }

    @Test func `the names are in the order of deterministic CBOR`() throws {
        let names = RecordField.allCases.map(\.rawValue)
        #expect(names == names.sorted(by: RecordField.precedes))
        let record = try #require(record)
        let fields = try #require(try CBORValue(decoding: record.encoded).fields)
        #expect(
            Set(names).subtracting(fields.keys) == [
                "activatedAt", "approvalAnswers", "capabilities", "deviceData", "enrolledMethods", "notificationID",
                "sealingKeys",
                "signingKey",
            ])
        #expect(Set(fields.keys).isSubset(of: names))
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
        record.state = .locked(.cloneSuspected)
        let unknown = try replacing("state", by: .array([.unsigned(3), .text("stolen")]), in: record.encoded)
        #expect(throws: OrchestrationError(.storeNewerVersion)) {
            try UserRecord(decoding: unknown, allowedCosts: [.testing])
        }
    }

    @Test func `a record without a key statement keeps its form, and takes statement 1 of its signing key`() throws {
        var record = try #require(record)
        record.platformKeys = KeyStatement(unstated: Sample.platformKeys)
        let fields = try #require(try CBORValue(decoding: record.encoded).fields)
        #expect(fields["signingKey"] != nil && fields["sealingKeys"] != nil)
        #expect(fields["!platformKeys"] == nil && fields["keyAlgorithm"] == nil)
        var read = try UserRecord(decoding: record.encoded, allowedCosts: [.testing])
        #expect(read.platformKeys == record.platformKeys && read.encoded == record.encoded)
        read.take(.first(Sample.platformKeys))
        let later = try #require(try CBORValue(decoding: read.encoded).fields)
        #expect(later["signingKey"] == nil && later["sealingKeys"] == nil)
        #expect(later["keyAlgorithm"] == .integer(-9))
        #expect(try UserRecord(decoding: read.encoded, allowedCosts: [.testing]).platformKeys.sequence == 1)
        // An earlier statement changes nothing.
        read.take(KeyStatement(unstated: []))
        #expect(read.platformKeys.sequence == 1)
    }

    @Test func `keys in both forms, in half of one, or of an unknown algorithm are refused`() throws {
        var record = try #require(record)
        let statement = try #require(try CBORValue(decoding: record.encoded).fields)
        record.platformKeys = KeyStatement(unstated: Sample.platformKeys)
        let bare = try #require(try CBORValue(decoding: record.encoded).fields)
        func decode(_ change: (inout [String: CBORValue]) -> Void, of fields: [String: CBORValue]) throws {
            var fields = fields
            change(&fields)
            let map = Dictionary(uniqueKeysWithValues: fields.map { (CBORValue.text($0), $1) })
            _ = try UserRecord(decoding: CBORValue.map(map).encoded, allowedCosts: [.testing])
        }
        for name in ["!platformKeys", "keyAlgorithm"] {
            #expect(throws: OrchestrationError(.storeCorrupt)) { try decode({ $0[name] = nil }, of: statement) }
            #expect(throws: OrchestrationError(.storeCorrupt)) { try decode({ $0[name] = statement[name] }, of: bare) }
        }
        for name in ["signingKey", "sealingKeys"] {
            #expect(throws: OrchestrationError(.storeCorrupt)) { try decode({ $0[name] = nil }, of: bare) }
            #expect(throws: OrchestrationError(.storeCorrupt)) { try decode({ $0[name] = bare[name] }, of: statement) }
        }
        #expect(throws: OrchestrationError(.storeNewerVersion)) {
            try decode({ $0["keyAlgorithm"] = .integer(-49) }, of: statement)
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
