import Crypto
import Primitives
import Testing

@testable import TrustedIdentity

struct RowSealerTests {
    let sealer: RowSealer
    let secret: [UInt8] = Array(1...32)

    init() throws {
        sealer = try Self.sealer(3, tenant: "default")
    }

    static func sealer(_ byte: UInt8, tenant: String) throws -> RowSealer {
        RowSealer(
            tenant: tenant, keys: try DataKeys(SecretBytes(copying: [UInt8](repeating: byte, count: 192))),
            random: SystemRandomSource())
    }

    func opened(_ value: SealedValue, _ table: RowSealer.Table = .deviceRatchet, row: [UInt8] = [1]) throws -> [UInt8] {
        try sealer.open(value, table, row: row).withBytes { span in span.indices.map { span[$0] } }
    }

    @Test func `a sealed value opens in its row only`() throws {
        let value = try sealer.seal(SecretBytes(copying: secret), .deviceRatchet, row: [1], revision: 5)
        #expect(try opened(value) == secret)
        #expect(throws: PlatformError(.wrongMasterKey)) { try opened(value, row: [2]) }
        #expect(throws: PlatformError(.wrongMasterKey)) { try opened(value, .deviceSecrets) }
        let moved = SealedValue(revision: 6, bytes: value.bytes)
        #expect(throws: PlatformError(.wrongMasterKey)) { try opened(moved) }
        #expect(throws: PlatformError(.wrongMasterKey)) {
            _ = try sealer.open(value, .deviceRatchet, row: [1], revision: 6)
        }
    }

    @Test func `another tenant's and another key's rows do not open`() throws {
        let value = try sealer.seal(SecretBytes(copying: secret), .deviceRatchet, row: [1], revision: 5)
        #expect(throws: PlatformError(.wrongMasterKey)) {
            _ = try Self.sealer(3, tenant: "other").open(value, .deviceRatchet, row: [1])
        }
        #expect(throws: PlatformError(.wrongMasterKey)) {
            _ = try Self.sealer(4, tenant: "default").open(value, .deviceRatchet, row: [1])
        }
    }

    @Test func `a value opens for its owner only`() throws {
        let key = [UInt8](repeating: 2, count: 33)
        let owner = RowOwner(account: "alice@master", deviceKey: key)
        let value = try sealer.seal(SecretBytes(copying: secret), .deviceSecrets, row: [1], owner: owner, revision: 0)
        let opened = try sealer.open(value, .deviceSecrets, row: [1], owner: owner)
        #expect(opened.withBytes { span in span.indices.map { span[$0] } } == secret)
        let others = [
            RowOwner(account: "bob@master", deviceKey: key),
            RowOwner(account: "alice@master", deviceKey: [UInt8](repeating: 3, count: 33)),
            RowOwner(account: "alice@master"), RowOwner(exchangeOf: "alice@master", registrationID: ""), nil,
        ]
        for other in others {
            #expect(throws: PlatformError(.wrongMasterKey)) {
                _ = try sealer.open(value, .deviceSecrets, row: [1], owner: other)
            }
        }
    }

    @Test func `the secrets of another generation of the password do not open`() throws {
        var device = Fixture.device()
        let secrets = DeviceSecrets(
            password: .init(size: .bits256), possession: .init(size: .bits256), channel: .init(size: .bits256))
        let ratchet = DeviceRatchet(start: .init(size: .bits256))
        let owner = RowOwner(device)
        device.secrets = try sealer.seal(
            secrets.encoded(), .deviceSecrets, row: device.id, owner: owner, revision: 1)
        device.ratchet = try sealer.seal(
            ratchet.encoded(), .deviceRatchet, row: device.id, owner: owner, revision: 0)
        #expect(throws: PlatformError(.wrongMasterKey)) { _ = try DeviceKeys(of: device, sealer: sealer) }
        device.generation = 1
        #expect(try DeviceKeys(of: device, sealer: sealer)?.secrets.channel == secrets.channel)
        device.account = "bob@master"
        #expect(throws: PlatformError(.wrongMasterKey)) { _ = try DeviceKeys(of: device, sealer: sealer) }
    }

    @Test func `every flipped bit and every cut is refused`() throws {
        let value = try sealer.seal(SecretBytes(copying: secret), .deviceRatchet, row: [1], revision: 0)
        for bit in 0..<value.bytes.count * 8 {
            var bytes = value.bytes
            bytes[bit / 8] ^= 1 << UInt8(bit % 8)
            let damaged = SealedValue(revision: 0, bytes: bytes)
            #expect(throws: PlatformError.self) { try opened(damaged) }
        }
        for count in 0..<value.bytes.count {
            let cut = SealedValue(revision: 0, bytes: Array(value.bytes.prefix(count)))
            #expect(throws: PlatformError.self) { try opened(cut) }
        }
    }

    @Test func `sealing twice gives different bytes`() throws {
        let first = try sealer.seal(SecretBytes(copying: secret), .deviceRatchet, row: [1], revision: 0)
        let second = try sealer.seal(SecretBytes(copying: secret), .deviceRatchet, row: [1], revision: 0)
        #expect(first.bytes != second.bytes)
    }
}

struct MasterKeyTests {
    @Test func `a master key comes back from its text`() throws {
        let key = try MasterKey.make(id: "2026-11")
        let read = try MasterKey(encoded: key.encoded())
        #expect(read.id == key.id)
        #expect(read.key == key.key)
    }

    @Test(arguments: [
        "", ":", "m1", "m1:", "m1:00", "m1:" + String(repeating: "0", count: 63),
        "m1:" + String(repeating: "0", count: 65), "m1:" + String(repeating: "G", count: 64),
        "m1:" + String(repeating: "A", count: 64), ":" + String(repeating: "0", count: 64),
        "m 1:" + String(repeating: "0", count: 64), "ß:" + String(repeating: "0", count: 64),
        String(repeating: "m", count: 33) + ":" + String(repeating: "0", count: 64),
        "m1:" + String(repeating: "0", count: 64) + "\n\n",
    ])
    func `a text that is no master key is refused`(text: String) {
        #expect(throws: PlatformError(.wrongMasterKey)) {
            _ = try MasterKey(encoded: SecretBytes(copying: text.utf8))
        }
    }

    @Test(arguments: [0, 16, 31, 33])
    func `a key of another length is refused`(count: Int) {
        #expect(throws: PlatformError(.wrongMasterKey)) {
            _ = try MasterKey(id: "m1", bytes: SecretBytes(copying: [UInt8](repeating: 1, count: count)))
        }
    }
}
