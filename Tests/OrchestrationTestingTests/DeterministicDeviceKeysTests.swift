import Crypto
import Orchestration
import OrchestrationTesting
import Testing

@Suite struct DeterministicDeviceKeysTests {
    let name = StoreName("u-1")

    @Test func `a key is found again by another provider of the same seed`() async throws {
        let name = try #require(name)
        let key = try await DeterministicDeviceKeys(seed: 1).makeKey(for: name)
        let again = try await DeterministicDeviceKeys(seed: 1).key(handle: key.handle)
        #expect(again.publicKey == key.publicKey)
        let message: [UInt8] = [1, 2, 3]
        let publicKey = try P256.Signing.PublicKey(compressedRepresentation: key.publicKey)
        let signature = try await P256.Signing.ECDSASignature(rawRepresentation: again.sign(message))
        #expect(publicKey.isValidSignature(signature, for: message))
        #expect(try await again.secret(.storage) == key.secret(.storage))
        #expect(try await again.secret(.storage) != key.secret(.password))
    }

    @Test func `a signature verifies under the public key`() async throws {
        let name = try #require(name)
        let key = try await DeterministicDeviceKeys(seed: 1).makeKey(for: name)
        let publicKey = try P256.Signing.PublicKey(compressedRepresentation: key.publicKey)
        let signature = try await P256.Signing.ECDSASignature(rawRepresentation: key.sign([7]))
        #expect(publicKey.isValidSignature(signature, for: [7] as [UInt8]))
        #expect(!publicKey.isValidSignature(signature, for: [8] as [UInt8]))
    }

    @Test func `two keys of a provider differ`() async throws {
        let name = try #require(name)
        let keys = DeterministicDeviceKeys(seed: 1)
        let (one, other) = (try await keys.makeKey(for: name), try await keys.makeKey(for: name))
        #expect(one.handle != other.handle)
        #expect(one.publicKey != other.publicKey)
    }

    @Test func `another device, a damaged handle and a deleted key have different errors`() async throws {
        let name = try #require(name)
        let keys = DeterministicDeviceKeys(seed: 1)
        let key = try await keys.makeKey(for: name)
        await #expect(throws: OrchestrationError(.storeRestoredElsewhere)) {
            try await DeterministicDeviceKeys(seed: 2).key(handle: key.handle)
        }
        for handle in [[], key.handle + [0], key.handle.dropLast(), [key.handle[0] ^ 1] + key.handle.dropFirst()] {
            await #expect(throws: OrchestrationError(.storeCorrupt)) { try await keys.key(handle: Array(handle)) }
        }
        try await keys.delete(handle: key.handle)
        await #expect(throws: OrchestrationError(.deviceKeyUnavailable)) { try await keys.key(handle: key.handle) }
    }
}
