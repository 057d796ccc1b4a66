import Crypto
import OrchestrationTesting
import Primitives
import TestSupport
import Testing

@testable import TrustedIdentity

struct ChangeKeyTests {
    func text(_ text: String) -> SecretBytes { SecretBytes(copying: text.utf8) }

    @Test func `a key has a text form, and no other text is one`() throws {
        let key = try ChangeKey(bytes: SecretBytes(copying: [UInt8](0..<32)))
        let encoded = key.encoded().withBytes { span in String(decoding: span.indices.map { span[$0] }, as: UTF8.self) }
        #expect(encoded == "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f\n")
        for accepted in [encoded, String(encoded.dropLast())] {
            #expect(try ChangeKey(encoded: text(accepted)).id == key.id)
        }
        for wrong in [
            "", "\n", encoded + "\n", String(encoded.dropFirst()), "g" + encoded.dropFirst(), "id:" + encoded,
            encoded.uppercased(),
        ] {
            #expect(throws: PlatformError(.wrongChangeKey)) { _ = try ChangeKey(encoded: text(wrong)) }
        }
        for count in [0, 31, 33] {
            #expect(throws: PlatformError(.wrongChangeKey)) {
                _ = try ChangeKey(bytes: SecretBytes(copying: [UInt8](repeating: 1, count: count)))
            }
        }
        #expect("\(key)" == "change key")
    }

    @Test func `a store knows its change key and refuses another one`() async throws {
        let (store, time, random) = (MemoryPlatformStore(), ManualTimeSource(), SeededRandomSource(seed: 4))
        let masterKey = try MasterKey.make(id: "m1", random: random)
        let changeKey = try ChangeKey.make(random: random)
        func open(_ changeKey: ChangeKey?) async throws {
            _ = try await Platform(
                store: store, masterKey: masterKey, changeKey: changeKey, time: time, random: random)
        }
        try await open(changeKey)
        try await open(changeKey)
        let state = try await store.read { try $0.platformState() }
        #expect(state?.changeKeyID == changeKey.id)
        let other = try ChangeKey.make(random: random)
        await #expect(throws: PlatformError(.wrongChangeKey)) { try await open(other) }
        await #expect(throws: PlatformError(.wrongChangeKey)) { try await open(nil) }
        #expect(try await store.read { try $0.platformState() } == state)
    }

    @Test func `a store that was opened without a change key goes on with the derived one`() async throws {
        let (store, random) = (MemoryPlatformStore(), SeededRandomSource(seed: 4))
        let masterKey = try MasterKey.make(id: "m1", random: random)
        _ = try await Platform(store: store, masterKey: masterKey)
        let derived = ChangeKey(derivedFrom: masterKey)
        _ = try await Platform(store: store, masterKey: masterKey, changeKey: derived)
        #expect(derived.id != ChangeKey(derivedFrom: try MasterKey.make(id: "m1", random: random)).id)
    }
}
