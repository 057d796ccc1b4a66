import Crypto
import OrchestrationProtocol
import Primitives
import Testing

@Suite struct SealedBoxTests {
    @Test(arguments: [0, 1, 600])
    func `a box opens only with its key and its associated data`(count: Int) throws {
        let (key, plaintext) = (SymmetricKey(size: .bits256), [UInt8](repeating: 7, count: count))
        let box = try AES.GCM.seal(plaintext, using: key, authenticating: [1])
        let opened = try box.openSecret(using: key, authenticating: [1]).withBytes { [UInt8]($0) }
        #expect(opened == plaintext)
        #expect(throws: CryptoKitError.self) { _ = try box.openSecret(using: key) }
        #expect(throws: CryptoKitError.self) {
            _ = try box.openSecret(using: SymmetricKey(size: .bits256), authenticating: [1])
        }
    }
}
