import Crypto
import OrchestrationProtocol
import Primitives
import TestSupport
import Testing

/// Wycheproof's vectors for X25519 with the check for low order.
@Suite struct X25519Tests {
    struct File: Decodable {
        struct Group: Decodable { let tests: [Case] }
        struct Case: Decodable {
            let tcId: Int
            let flags: [String]
            let `public`, `private`, shared: String
        }
        let numberOfTests: Int
        let testGroups: [Group]
    }

    @Test func `agreements have Wycheproof's secrets, and a secret of zeros is refused`() throws {
        let file = try Vectors.decode(File.self, "wycheproof/x25519_test.json")
        let cases = file.testGroups.flatMap(\.tests)
        #expect(cases.count == file.numberOfTests)
        var refused = 0
        for test in cases {
            let key = try X25519.privateKey(SecretBytes(copying: [UInt8](hex: test.private)))
            let point = [UInt8](hex: test.public)
            if test.flags.contains("ZeroSharedSecret") {
                refused += 1
                #expect(throws: SecureChannelError(.lowOrderPoint, blame: .peer, ""), "case \(test.tcId)") {
                    _ = try X25519.agree(key, with: point.span)
                }
                #expect(throws: SecureChannelError(.lowOrderPoint, blame: .peer, ""), "case \(test.tcId)") {
                    try X25519.refuseLowOrder(point)
                }
            } else {
                let secret = try X25519.agree(key, with: point.span)
                #expect(
                    secret.withSpan { [UInt8]($0) } == [UInt8](hex: test.shared), "case \(test.tcId)")
                #expect(throws: Never.self) { try X25519.refuseLowOrder(point) }
            }
        }
        #expect(refused == 31)
    }
}
