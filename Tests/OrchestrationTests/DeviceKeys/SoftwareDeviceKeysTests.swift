import Crypto
import Foundation
import Primitives
import TestSupport
import Testing

@testable import Orchestration

@Suite struct SoftwareDeviceKeysTests {
    let folder: TemporaryFolder
    let name: StoreName
    let machine = MachineIdentity(bytes: Array("machine".utf8))

    init() throws {
        folder = try TemporaryFolder()
        name = try #require(StoreName("user-1"))
    }

    private func keys(_ machine: MachineIdentity? = nil, salt: UInt8 = 1) throws -> SoftwareDeviceKeys {
        SoftwareDeviceKeys(
            folder: try DiskFolder(path: folder.path), salts: try Sample.salts(salt), machine: machine ?? self.machine,
            random: SystemRandomSource())
    }

    private func secrets(_ key: any DeviceKey) async throws -> [[UInt8]] {
        var secrets: [[UInt8]] = []
        for purpose in DeviceSecretPurpose.allCases { secrets.append(Sample.bytes(try await key.secret(purpose))) }
        return secrets
    }

    @Test func `a key that was made is found again, with the same secrets`() async throws {
        let key = try await keys().makeKey(for: name)
        let again = try await keys().key(handle: key.handle)
        #expect(again.publicKey == key.publicKey)
        #expect(key.publicKey.count == 33)
        #expect(try await secrets(again) == secrets(key))
        #expect(key.handle.count <= 1_024)
    }

    @Test func `a signature verifies with the public key`() async throws {
        let key = try await keys().makeKey(for: name)
        let signature = try await key.sign([1, 2, 3])
        #expect(signature.count == 64)
        let publicKey = try P256.Signing.PublicKey(compressedRepresentation: key.publicKey)
        let parsed = try P256.Signing.ECDSASignature(rawRepresentation: signature)
        #expect(publicKey.isValidSignature(parsed, for: [1, 2, 3] as [UInt8]))
        #expect(!publicKey.isValidSignature(parsed, for: [1, 2, 4] as [UInt8]))
    }

    @Test func `keys share nothing, and neither do the purposes of one`() async throws {
        let (one, two) = (try await keys().makeKey(for: name), try await keys().makeKey(for: name))
        #expect(one.publicKey != two.publicKey)
        #expect(one.handle != two.handle)
        #expect(Set(try await secrets(one) + secrets(two)).count == 4)
    }

    @Test func `only the owner can read the key file`() async throws {
        _ = try await keys().makeKey(for: name)
        let file = try #require(try folder.files().first)
        #expect(file.hasSuffix(".key"))
        #expect(try folder.mode(file) == 0o600)
    }

    @Test func `another machine, another app and a missing key file are another device`() async throws {
        let key = try await keys().makeKey(for: name)
        await #expect(throws: OrchestrationError(.storeRestoredElsewhere)) {
            try await keys(MachineIdentity(bytes: [])).key(handle: key.handle)
        }
        await #expect(throws: OrchestrationError(.storeRestoredElsewhere)) {
            try await keys(salt: 2).key(handle: key.handle)
        }
        try await keys().delete(handle: key.handle)
        #expect(try !folder.files().contains { $0.hasSuffix(".key") })
        await #expect(throws: OrchestrationError(.storeRestoredElsewhere)) {
            try await keys().key(handle: key.handle)
        }
        try await keys().delete(handle: key.handle)
    }

    @Test func `every flipped bit of the key file is corrupt`() async throws {
        let key = try await keys().makeKey(for: name)
        let file = try #require(try folder.files().first)
        let good = try folder.bytes(file)
        for bit in 0..<good.count * 8 {
            var bad = good
            bad[bit / 8] ^= 1 << (bit % 8)
            try folder.write(bad, to: file)
            await #expect(throws: OrchestrationError(.storeCorrupt)) { try await keys().key(handle: key.handle) }
        }
        for bad in [[], Array(good.dropLast()), good + [0], [UInt8](repeating: 0, count: 1_000)] {
            try folder.write(bad, to: file)
            await #expect(throws: OrchestrationError(.storeCorrupt)) { try await keys().key(handle: key.handle) }
        }
    }

    @Test func `every flipped bit of a handle is refused`() async throws {
        let key = try await keys().makeKey(for: name)
        for bit in 0..<key.handle.count * 8 {
            var bad = key.handle
            bad[bit / 8] ^= 1 << (bit % 8)
            let error = await #expect(throws: OrchestrationError.self) { try await keys().key(handle: bad) }
            #expect([.storeCorrupt, .storeRestoredElsewhere, .storeNewerVersion].contains(error?.code))
        }
        for bad in [[], Array(key.handle.dropLast()), key.handle + [0]] {
            await #expect(throws: OrchestrationError(.storeCorrupt)) { try await keys().key(handle: bad) }
            try await keys().delete(handle: bad)
        }
    }

    @Test func `a key has no printable form`() async throws {
        let key = try await keys().makeKey(for: name)
        var text = ""
        dump(key, to: &text)
        #expect(text == "- device key\n")
    }

    @Test func `short and equal salts are refused`() {
        let (short, long) = ([UInt8](repeating: 1, count: 15), [UInt8](repeating: 2, count: 16))
        #expect(throws: OrchestrationError(.invalidConfiguration)) { try Salts(authenticator: short, storage: long) }
        #expect(throws: OrchestrationError(.invalidConfiguration)) { try Salts(authenticator: long, storage: short) }
        #expect(throws: OrchestrationError(.invalidConfiguration)) { try Salts(authenticator: long, storage: long) }
    }

    @Test func `salts are read from hexadecimal text`() throws {
        let salts = try Salts(
            authenticator: String(repeating: "0a", count: 32), storage: String(repeating: "F", count: 32))
        #expect(salts.authenticator == [UInt8](repeating: 10, count: 32))
        #expect(salts.storage == [UInt8](repeating: 255, count: 16))
    }

    @Test(arguments: ["", "0", "zz", String(repeating: "0", count: 30), String(repeating: "0", count: 130)])
    func `text that is not 16 to 64 bytes in hexadecimal is refused as a salt`(text: String) {
        let right = String(repeating: "1", count: 64)
        #expect(throws: OrchestrationError(.invalidConfiguration)) { try Salts(authenticator: text, storage: right) }
        #expect(throws: OrchestrationError(.invalidConfiguration)) { try Salts(authenticator: right, storage: text) }
    }
}
