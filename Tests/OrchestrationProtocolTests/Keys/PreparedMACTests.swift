import Crypto
import OrchestrationProtocol
import Primitives
import Testing

/// Compares the fast HMAC-SHA-256 and HKDF-SHA256 with swift-crypto's.
@Suite struct PreparedMACTests {
    private func bytes(_ count: Int) -> [UInt8] { (0..<count).map { _ in UInt8.random(in: 0...255) } }

    private func reference(_ material: [UInt8], salt: [UInt8] = [], info: [UInt8]) -> [UInt8] {
        HKDF<SHA256>.deriveKey(
            inputKeyMaterial: SymmetricKey(data: material), salt: salt, info: info, outputByteCount: 32
        ).withSpan { [UInt8]($0) }
    }

    @Test func `a prepared key makes swift-crypto's codes, of keys and messages of every length`() {
        for length in 0...200 {
            let (key, message) = (bytes(length), bytes(.random(in: 0...300)))
            let expected = HMAC<SHA256>.authenticationCode(for: message, using: SymmetricKey(data: key))
            let prepared = PreparedMAC(key.span)
            #expect(prepared.code(of: message) == Array(expected))
            #expect(prepared.secretCode(of: message.span).withBytes { [UInt8]($0) } == Array(expected))
        }
    }

    @Test func `a derived key is swift-crypto's, with a salt and without one`() {
        for length in 0...200 {
            let (material, salt, context) = (bytes(.random(in: 1...100)), bytes(32), bytes(length))
            let key = SymmetricKey(data: material)
            let plain = KeyDerivation<SHA256>.deriveKey(key, as: .ratchet, context: context)
            #expect(plain.withSpan { [UInt8]($0) } == reference(material, info: Label.ratchet.bytes + context))
            let salted = KeyDerivation<SHA256>.deriveKey(
                key, salt: SymmetricKey(data: salt), as: .ratchet, context: context)
            #expect(
                salted.withSpan { [UInt8]($0) } == reference(material, salt: salt, info: Label.ratchet.bytes + context))
            #expect(plain == KeyDerivation<SHA256>.derive(key, as: .ratchet, context: context, count: 32))
        }
    }

    @Test(arguments: ["t", "a tenant whose name is long enough for a third block of the hash, and then some"])
    func `the code keys of a device are the code keys one by one`(tenant: String) throws {
        let device = DeviceAddress(
            tenant: tenant, account: try AccountName(userID: "alice", domain: "master"), id: bytes(16))
        let secrets = Instance.allCases.map { (instance: $0, key: SymmetricKey(size: .bits256)) }
        for count in 1...3 {
            let ratchets = (0..<count).map { _ in SymmetricKey(size: .bits256) }
            let keys = InstanceKeys.codeKeys(secrets: secrets, ratchets: ratchets, application: 2, device: device)
            var expected: [UInt8] = []
            for secret in secrets {
                for ratchet in ratchets {
                    let key = InstanceKeys.codeKey(
                        secret: secret.key, ratchet: ratchet, application: 2, instance: secret.instance, device: device)
                    expected += key.withSpan { [UInt8]($0) }
                }
            }
            #expect(keys.withBytes { [UInt8]($0) } == expected)
        }
    }
}
