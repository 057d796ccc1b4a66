import Crypto
import Foundation
import OrchestrationProtocol
import OrchestrationTesting
import Primitives
import Testing

@testable import Orchestration

@Suite struct VaultTests {
    let store = MemoryStore()
    let keys: SoftwareDeviceKeys
    let vault: Vault

    init() throws {
        keys = SoftwareDeviceKeys(inMemory: try Sample.salts())
        vault = try Sample.vault(store, keys)
    }

    @discardableResult
    private func activate(_ user: String = "alice") async throws -> any DeviceKey {
        let record = try Sample.record(of: user)
        let key = try await keys.makeKey(for: vault.name(for: record.account))
        try await vault.create(record, key: key)
        return key
    }

    private func blob(_ user: String = "alice") async throws -> [UInt8] {
        try #require(try await store.read(vault.name(for: Sample.account(user))))
    }

    private func put(_ bytes: [UInt8], as user: String = "alice") async throws {
        try await store.update(vault.name(for: Sample.account(user))) { _ in (.replace(bytes), ()) }
    }

    @Test func `a record is decoded with every field`() async throws {
        try await activate()
        var record = try #require(try await vault.record(Sample.account()))
        #expect(record.encoded == (try Sample.record().encoded))
        #expect(record.account.text == "alice@master")
        #expect(Sample.bytes(record.presharedKey) == [UInt8](repeating: 0x11, count: 32))
        #expect(record.counters == [4: 9, 2: .max])
        #expect(record.applications.map(\.index) == [.app1, .app4])
        #expect(record.pinPolicy == .default)
        for state: UserRecord.State in [
            .pending, .active, .passwordProven(receiptHash: [UInt8](repeating: 9, count: 32)), .locked(.revoked),
        ] {
            record.state = state
            record.activatedAt = Timestamp(millisecondsSinceEpoch: 5)
            record.notificationIdentifier = "pull:1"
            record.clockOffset = -1_500
            let again = try UserRecord(decoding: record.encoded, allowedCosts: [.testing])
            #expect(again.state == state)
            #expect(again.encoded == record.encoded)
        }
    }

    @Test func `the name, the key and the associated data of a record have their labels`() throws {
        func derived(_ key: SymmetricKey, _ salt: [UInt8], _ label: String, count: Int) -> SymmetricKey {
            HKDF<SHA256>.deriveKey(
                inputKeyMaterial: key, salt: salt, info: Array("swift-orchestration/1 \(label)".utf8),
                outputByteCount: count)
        }
        let name = try vault.name(for: Sample.account())
        let account = CBORValue.array([.text("default"), .text("alice"), .text("master")]).encoded
        let hash = derived(SymmetricKey(data: account), try Sample.salts().storage, "record name", count: 24)
        #expect(name.text == "user-" + Hex.encode(Sample.bytes(hash)))

        let (record, handle, salt) = (try Sample.record(), [UInt8]([1, 2, 3]), [UInt8](repeating: 8, count: 32))
        let stored = try SealedRecord.seal(record, as: name, handle: handle, with: Sample.key(5), salt: salt)
        let names = CBORValue.array([
            .text("swift-orchestration/1 user record"), .unsigned(1), .text(name.text), .bytes(handle),
        ]).encoded
        let box = try AES.GCM.seal(
            record.encoded, using: derived(Sample.key(5), salt, "user record", count: 32),
            nonce: AES.GCM.Nonce(data: [UInt8](repeating: 0, count: 12)), authenticating: names)
        let content = CBORValue.array([
            .unsigned(1), .bytes(handle), .bytes(salt), .bytes(Array(box.ciphertext) + Array(box.tag)),
        ]).encoded
        #expect(Array(stored.dropLast(32)) == content)
    }

    @Test func `an update with an outdated device key gets the current record and key`() async throws {
        let old = try await activate()
        let unchanged = try await vault.update(Sample.account(), expecting: old) { $0.deviceID }
        #expect(unchanged.key.handle == old.handle)
        try await vault.delete(Sample.account())
        await #expect(throws: OrchestrationError(.userUnknown)) {
            _ = try await vault.update(Sample.account(), expecting: old) { $0.deviceID }
        }
        let new = try await activate()
        let changed = try await vault.update(Sample.account(), expecting: old) { $0.counters[2] = 3 }
        #expect(changed.key.handle == new.handle)
        #expect(try await vault.record(Sample.account())?.counters[2] == 3)
    }

    @Test func `an unknown account has no record and no key`() async throws {
        #expect(try await vault.record(Sample.account())?.state == nil)
        await #expect(throws: OrchestrationError(.userUnknown)) { try await vault.deviceKey(Sample.account()) }
        await #expect(throws: OrchestrationError(.userUnknown)) {
            try await vault.update(Sample.account()) { $0.state = .active }
        }
        try await vault.delete(Sample.account())
    }

    @Test func `a change is visible to the next reader, and without a change nothing is written`() async throws {
        try await activate()
        let before = try await blob()
        try await vault.update(Sample.account()) { $0.ratchetIndex += 0 }
        #expect(try await blob() == before)
        let index = try await vault.update(Sample.account()) { record in
            record.ratchetIndex += 1
            return record.ratchetIndex
        }
        #expect(index == 1)
        #expect(try await vault.record(Sample.account())?.ratchetIndex == 1)
        #expect(try await blob() != before)
    }

    @Test func `a change that throws writes nothing`() async throws {
        struct Refusal: Error {}
        try await activate()
        let before = try await blob()
        await #expect(throws: Refusal.self) {
            try await vault.update(Sample.account()) { record in
                record.ratchetIndex = 99
                throw Refusal()
            }
        }
        #expect(try await blob() == before)
    }

    @Test func `changes by many tasks lose none`() async throws {
        try await activate()
        let (vault, account) = (vault, try Sample.account())
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<32 { group.addTask { try await vault.update(account) { $0.ratchetIndex += 1 } } }
            try await group.waitForAll()
        }
        #expect(try await vault.record(account)?.ratchetIndex == 32)
    }

    @Test func `every write has another salt and another ciphertext`() async throws {
        try await activate()
        var seen: Set<[UInt8]> = []
        for _ in 0..<20 {
            try await vault.update(Sample.account()) { $0.ratchetIndex ^= 1 }
            seen.insert(try await blob())
        }
        #expect(seen.count == 20)
    }

    @Test func `every single flipped bit is corrupt`() async throws {
        try await activate()
        let good = try await blob()
        for bit in 0..<good.count * 8 {
            var bad = good
            bad[bit / 8] ^= 1 << (bit % 8)
            #expect(throws: OrchestrationError(.storeCorrupt)) { try SealedRecord(decoding: bad) }
            guard bit.isMultiple(of: 97) else { continue }
            try await put(bad)
            await #expect(throws: OrchestrationError(.storeCorrupt)) { try await vault.record(Sample.account()) }
            await #expect(throws: OrchestrationError(.storeCorrupt)) {
                try await vault.update(Sample.account()) { $0.state = .active }
            }
        }
    }

    @Test func `every flipped bit is refused under a matching hash`() async throws {
        try await activate()
        let good = try await blob().dropLast(32)
        let (name, secret) = (try vault.name(for: Sample.account()), try await vault.deviceKey(Sample.account()))
        let storage = try await secret.secret(.storage)
        for bit in 0..<good.count * 8 {
            var bad = Array(good)
            bad[bit / 8] ^= 1 << (bit % 8)
            #expect(throws: OrchestrationError.self) {
                _ = try SealedRecord(decoding: bad + SHA256.hash(data: bad))
                    .open(as: name, with: storage, allowedCosts: [.testing])
            }
        }
    }

    @Test func `a truncated, extended or empty file is corrupt`() async throws {
        try await activate()
        let good = try await blob()
        for bad in [[], [0], Array(good.dropLast()), good + [0], Array(good.prefix(32)), Array(good.dropFirst())] {
            try await put(bad)
            await #expect(throws: OrchestrationError(.storeCorrupt)) { try await vault.record(Sample.account()) }
        }
    }

    @Test func `a record of a newer version is refused as such, whatever follows`() async throws {
        for content: [UInt8] in [[0x81, 0x03], [0x83, 0x18, 0x63, 0x01, 0x02]] {
            try await put(content + SHA256.hash(data: content))
            await #expect(throws: OrchestrationError(.storeNewerVersion)) { try await vault.record(Sample.account()) }
        }
    }

    @Test func `the file of one user is refused as that of another`() async throws {
        try await activate()
        try await activate("bob")
        try await put(blob("bob"))
        await #expect(throws: OrchestrationError(.storeCorrupt)) { try await vault.record(Sample.account()) }
    }

    @Test func `a record that was written with the cost of tests is refused by every released list`() async throws {
        try await activate()
        let released = Vault(
            store: store, deviceKeys: keys, salts: try Sample.salts(), tenant: "default",
            random: SystemRandomSource())
        await #expect(throws: OrchestrationError(.storeCorrupt)) { try await released.record(Sample.account()) }
        #expect(!ScryptCost.released.contains(.testing))
        #expect(ScryptCost.released.allSatisfy { $0.logarithm >= 15 && $0.blockSize >= 8 })
    }

    @Test func `another device with the same app sees a store of another device`() async throws {
        try await activate()
        let elsewhere = try Sample.vault(store.copy(), SoftwareDeviceKeys(inMemory: Sample.salts()))
        await #expect(throws: OrchestrationError(.storeRestoredElsewhere)) {
            try await elsewhere.record(Sample.account())
        }
        try await elsewhere.delete(Sample.account())
        #expect(try await elsewhere.record(Sample.account())?.state == nil)
    }

    @Test func `a new activation replaces the old one and its key`() async throws {
        let old = try await activate()
        let new = try await activate()
        #expect(try await vault.deviceKey(Sample.account()).handle == new.handle)
        await #expect(throws: OrchestrationError(.storeRestoredElsewhere)) { try await keys.key(handle: old.handle) }
    }

    @Test func `a finished activation is not replaced by one that comes late`() async throws {
        let finished = try await activate()
        try await vault.update(Sample.account()) { $0.state = .active }
        let stored = try await blob()
        let late = try await keys.makeKey(for: vault.name(for: Sample.account()))
        await #expect(throws: OrchestrationError(.alreadyActivated)) {
            try await vault.create(Sample.record(), key: late)
        }
        #expect(try await blob() == stored)
        #expect(try await vault.deviceKey(Sample.account()).handle == finished.handle)
        _ = try await keys.key(handle: finished.handle)
    }

    @Test func `what cannot be opened is not replaced`() async throws {
        let key = try await activate()
        try await put([1, 2, 3])
        await #expect(throws: OrchestrationError(.storeCorrupt)) { try await vault.create(Sample.record(), key: key) }
        #expect(try await blob() == [1, 2, 3])
    }

    @Test func `dropping a device does not remove another one`() async throws {
        let key = try await activate()
        let device = try Sample.record().deviceID
        try await vault.delete(Sample.account(), ofDevice: [UInt8](repeating: 8, count: 16))
        #expect(try await vault.deviceKey(Sample.account()).handle == key.handle)
        try await vault.delete(Sample.account(), ofDevice: device)
        #expect(try await store.names().isEmpty)
        await #expect(throws: OrchestrationError(.storeRestoredElsewhere)) { try await keys.key(handle: key.handle) }
        try await vault.delete(Sample.account(), ofDevice: device)
    }

    @Test func `the ratchet moves by the answer to its own input, and once`() throws {
        var record = try Sample.record()
        let (now, input) = (record.ratchetMovedAt.advanced(seconds: 300), MessageSecret(Sample.key(0x66).secretBytes))
        #expect(!record.mayMoveRatchet(at: record.ratchetMovedAt.advanced(milliseconds: 299_999)))
        #expect(record.mayMoveRatchet(at: now))
        #expect(!record.mayMoveRatchet(at: record.ratchetMovedAt.advanced(milliseconds: -1)))
        #expect(record.mayMoveRatchet(at: record.ratchetMovedAt.advanced(seconds: -300)), "a clock that was set back")
        let young = record
        record.ratchetInput = Sample.key(0x77)
        let asked = record
        var (other, later) = (asked, asked)
        other.ratchetInput = Sample.key(0x78)
        later.ratchetIndex += 1
        // No input of the platform, an answer to another input, to a request without one, and a late one.
        record.moveRatchet(of: asked, by: nil, at: now)
        record.moveRatchet(of: other, by: input, at: now)
        record.moveRatchet(of: young, by: input, at: now)
        record.moveRatchet(of: later, by: input, at: now)
        #expect(record.ratchetIndex == 0 && record.ratchet == asked.ratchet)
        for _ in 0..<2 { record.moveRatchet(of: asked, by: input, at: now) }
        let expected = KeyRatchet.next(
            asked.ratchet, to: 1, deviceInput: Sample.key(0x77), platformInput: Sample.key(0x66))
        #expect(record.ratchetIndex == 1 && record.ratchet == expected)
        #expect(record.ratchetInput == nil && record.ratchetMovedAt == now)
    }

    @Test func `a counter at its end is refused and does not trap`() throws {
        var record = try Sample.record()
        let application = try #require(
            CryptoApplication(index: 2, kind: .counterBased, digits: 8, timeStep: 0, hasHostCode: false))
        #expect(throws: OrchestrationError(.storeCorrupt)) { try record.takeCounter(of: application) }
        record.counters[2] = 7
        #expect(try record.takeCounter(of: application) == 7)
        #expect(record.counters[2] == 8)
    }

    @Test func `a deleted user is gone with the key, also when the file was damaged`() async throws {
        let key = try await activate()
        try await vault.delete(Sample.account())
        #expect(try await vault.record(Sample.account())?.state == nil)
        await #expect(throws: OrchestrationError(.storeRestoredElsewhere)) { try await keys.key(handle: key.handle) }
        try await put([1, 2, 3])
        try await vault.delete(Sample.account())
        #expect(try await store.names().isEmpty)
    }

    @Test func `a damaged record does not hide the others`() async throws {
        for user in ["carol", "alice", "bob"] { try await activate(user) }
        try await put([1], as: "bob")
        let contents = try await vault.contents()
        #expect(contents.records.map(\.record.account.userID) == ["alice", "carol"])
        #expect(contents.failures == [try vault.name(for: Sample.account("bob")): OrchestrationError(.storeCorrupt)])
        #expect(
            contents.records.map(\.name) == [
                try vault.name(for: Sample.account("alice")), try vault.name(for: Sample.account("carol")),
            ])
    }

    @Test func `tenants and apps do not see each other's users`() async throws {
        try await activate()
        let other = try Sample.vault(store, keys, tenant: "other")
        #expect(try await other.record(Sample.account())?.state == nil)
        #expect(try await other.contents().records.isEmpty)
        #expect(try other.name(for: Sample.account()) != vault.name(for: Sample.account()))
    }

    @Test func `a name does not contain the user id`() throws {
        let name = try vault.name(for: Sample.account())
        #expect(name.text.count == 5 + 48)
        #expect(!name.text.contains("alice"))
        #expect(try vault.name(for: Sample.account("Alice")) != name)
    }

    @Test func `neither the file nor a description of a record contains a secret`() async throws {
        try await activate()
        let blob = try await blob()
        for byte: UInt8 in [0x11, 0x22, 0x33, 0x44, 0x55, 0x06] {
            #expect(!blob.contains([UInt8](repeating: byte, count: 16)))
        }
        var text = ""
        let record = try Sample.record()
        dump(record, to: &text)
        #expect(text + "\(record)" + String(reflecting: record) == "- user record\nuser recorduser record")
    }
}

extension [UInt8] {
    fileprivate func contains(_ part: [UInt8]) -> Bool {
        indices.dropLast(part.count - 1).contains { self[$0..<$0 + part.count].elementsEqual(part) }
    }
}
