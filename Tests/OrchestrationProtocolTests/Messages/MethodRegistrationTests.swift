import Crypto
import OrchestrationProtocol
import Primitives
import TestSupport
import Testing

@Suite struct MethodRegistrationTests {
    /// The published registrations, made by an independent program (Tests/Vectors/protocol/make.py).
    struct Vector: Decodable {
        struct Method: Decodable {
            let instance, method, protection: UInt8
            let secret, privateKey, publicKey, payload, registration, proof: String
            let generation: UInt64
        }

        let tenant, account, deviceID, ratchet, proofMessage: String
        let methods: [Method]
    }

    private let vector: Vector
    private let deviceID: [UInt8]

    init() throws {
        vector = try Vectors.decode(Vector.self, "protocol/methods.json")
        deviceID = [UInt8](hex: vector.deviceID)
    }

    private let otherDeviceKey = [2] + [UInt8](repeating: 9, count: 32)

    private func code(
        _ registration: Sign1, deviceID: [UInt8]? = nil, otherKeys: [[UInt8]]? = nil
    ) -> SecureChannelError.Code? {
        refusal {
            try MethodRegistrationContent.verified(
                registration, deviceID: deviceID ?? self.deviceID, otherKeys: otherKeys ?? [otherDeviceKey])
        }
    }

    private func signed(
        _ content: MethodRegistrationContent, by key: P256.Signing.PrivateKey
    ) async throws -> Sign1 {
        try await content.signed { [UInt8](try key.signature(for: $0).rawRepresentation) }
    }

    @Test func `the published registrations verify, and have the published payload`() throws {
        #expect(vector.methods.map(\.method) == [2, 3])
        for row in vector.methods {
            let registration = try Sign1(decoding: [UInt8](hex: row.registration))
            let verified = try MethodRegistrationContent.verified(
                registration, deviceID: deviceID, otherKeys: [otherDeviceKey])
            let expected = MethodRegistrationContent(
                deviceID: deviceID, method: try #require(AuthenticationMethod(rawValue: row.method)),
                protection: try #require(MethodProtection(rawValue: row.protection)), key: [UInt8](hex: row.publicKey))
            #expect(verified.message == expected)
            #expect(expected.encoded == [UInt8](hex: row.payload))
        }
    }

    @Test func `a proof of each method is the published one, and of no other method or secret`() throws {
        let device = DeviceAddress(
            tenant: vector.tenant, account: try AccountName(text: vector.account, defaultDomain: ""), id: deviceID)
        let (message, ratchet) = ([UInt8](hex: vector.proofMessage), [UInt8](hex: vector.ratchet))
        for row in vector.methods {
            let method = try #require(AuthenticationMethod(rawValue: row.method))
            #expect(Instance(of: method).rawValue == row.instance)
            #expect(Instance(of: method).method == method)
            func isRight(_ method: AuthenticationMethod, secret: String, generation: UInt64 = row.generation) -> Bool {
                InstanceKeys.verifyProof(
                    [UInt8](hex: row.proof), of: message, secret: SymmetricKey(data: [UInt8](hex: secret)),
                    ratchet: SymmetricKey(data: ratchet), instance: Instance(of: method), method: method.rawValue,
                    generation: generation, device: device)
            }
            #expect(isRight(method, secret: row.secret))
            #expect(!isRight(method, secret: row.secret, generation: row.generation + 1))
            for other in AuthenticationMethod.allCases where other != method {
                #expect(!isRight(other, secret: row.secret))
            }
            for other in vector.methods where other.method != row.method {
                #expect(!isRight(method, secret: other.secret))
            }
        }
    }

    @Test func `a registration of another device is refused`() throws {
        for row in vector.methods {
            let registration = try Sign1(decoding: [UInt8](hex: row.registration))
            #expect(code(registration) == nil)
            #expect(code(registration, deviceID: [UInt8](repeating: 1, count: 16)) == .wrongParty)
        }
    }

    @Test func `a key that has another use is refused`() throws {
        for row in vector.methods {
            let registration = try Sign1(decoding: [UInt8](hex: row.registration))
            #expect(code(registration, otherKeys: [otherDeviceKey, [UInt8](hex: row.publicKey)]) == .wrongKey)
        }
    }

    @Test func `a registration that another key has signed is refused`() async throws {
        let (own, stranger) = (P256.Signing.PrivateKey(), P256.Signing.PrivateKey())
        let content = MethodRegistrationContent(
            deviceID: deviceID, method: .face, protection: .provider,
            key: [UInt8](own.publicKey.compressedRepresentation))
        #expect(code(try await signed(content, by: own)) == nil)
        #expect(code(try await signed(content, by: stranger)) == .notAuthentic)
    }

    @Test func `a registration under another label or header is refused`() async throws {
        let key = P256.Signing.PrivateKey()
        let content = MethodRegistrationContent(
            deviceID: deviceID, method: .biometric, protection: .system,
            key: [UInt8](key.publicKey.compressedRepresentation))
        func code(_ header: COSEHeader, _ label: [UInt8]) throws -> SecureChannelError.Code? {
            self.code(
                try Sign1.signing(content.encoded, header: header, externalAAD: label) { bytes in
                    [UInt8](try key.signature(for: bytes).rawRepresentation)
                })
        }
        #expect(try code(COSEHeader(algorithm: .esp256), MethodRegistrationContent.externalAAD) == nil)
        #expect(try code(COSEHeader(algorithm: .esp256), ApprovalAnswerContent.externalAAD) == .notAuthentic)
        let named = COSEHeader(algorithm: .esp256, keyID: [UInt8](repeating: 1, count: 8))
        #expect(try code(named, MethodRegistrationContent.externalAAD) != nil)
    }

    @Test func `every flipped bit of a registration is refused`() throws {
        let row = try #require(vector.methods.first)
        let accepted = [UInt8](hex: row.registration).bitFlips.filter { flipped in
            guard let altered = try? Sign1(decoding: flipped) else { return false }
            return code(altered) == nil
        }
        #expect(accepted.isEmpty)
    }
}
