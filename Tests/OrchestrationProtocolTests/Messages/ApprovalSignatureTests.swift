import Crypto
import OrchestrationProtocol
import Primitives
import TestSupport
import Testing

@Suite struct ApprovalSignatureTests {
    private let fixture: ApprovalFixture
    private let content: ApprovalRequestContent
    private let request: Sign1

    init() throws {
        fixture = try ApprovalFixture()
        content = try fixture.payment()
        request = try content.signed(with: fixture.key)
    }

    private func code(
        _ request: Sign1, tenant: String = "default", user: String = "alice", id: [UInt8]? = nil
    ) throws -> SecureChannelError.Code? {
        let device = DeviceAddress(
            tenant: tenant, account: try AccountName(userID: user, domain: "master"), id: fixture.device.id)
        return refusal {
            try ApprovalRequestContent.verified(
                request, keys: fixture.statement, device: device, id: id ?? content.id)
        }
    }

    private func signed(_ change: (inout ApprovalRequestContent) -> Void) throws -> Sign1 {
        var content = content
        change(&content)
        return try content.signed(with: fixture.key)
    }

    @Test func `a request of the platform is verified, with the bytes that the answer names`() throws {
        let verified = try ApprovalRequestContent.verified(
            request, keys: fixture.statement, device: fixture.device, id: content.id)
        #expect(verified.message == content)
        #expect(verified.encoded == request.encoded)
        #expect(request.digest == [UInt8](SHA256.hash(data: request.encoded)))
    }

    @Test(arguments: ["0123456789abcdef", "Example Shop"])
    func `a request whose principal was changed is not authentic`(text: String) throws {
        var bytes = request.encoded
        let place = try #require(bytes.firstRange(of: Array(text.utf8))?.lowerBound)
        bytes[place] ^= 1
        #expect(try code(Sign1(decoding: bytes)) == .notAuthentic)
    }

    @Test func `a request of another tenant, account or id is refused`() throws {
        #expect(try code(request) == nil)
        #expect(try code(request, tenant: "other") == .wrongParty)
        #expect(try code(request, user: "bob") == .wrongParty)
        #expect(try code(request, user: "Alice") == .wrongParty)
        #expect(try code(request, id: [UInt8](repeating: 0, count: 16)) == .wrongRequest)
    }

    @Test func `a request is refused by a key that is not listed, or that was not valid at its creation`() throws {
        #expect(try code(content.signed(with: fixture.stranger)) == .wrongKey)
        #expect(try code(content.signed(with: fixture.oldKey)) == .keyNotValid)
        // The old key may sign what is dated within its validity, and a day more.
        var early = content
        early.created = Timestamp(
            millisecondsSinceEpoch: content.created.millisecondsSinceEpoch - 99 * KeyStatement.tolerance)
        early.expiry = early.created.advanced(seconds: 120)
        #expect(try code(early.signed(with: fixture.oldKey)) == nil)
        early.created = early.created.advanced(milliseconds: 1)
        early.expiry = early.created.advanced(seconds: 120)
        #expect(try code(early.signed(with: fixture.oldKey)) == .keyNotValid)
    }

    @Test func `every flipped bit of a request is refused`() throws {
        var accepted: [[UInt8]] = []
        for flipped in request.encoded.bitFlips {
            guard let altered = try? Sign1(decoding: flipped) else { continue }
            if try code(altered) == nil { accepted.append(flipped) }
        }
        #expect(accepted.isEmpty)
    }

    @Test func `a signature with another label or header is refused`() throws {
        let key = Curve25519.Signing.PrivateKey()
        let pair = try SigningKeyPair(privateRepresentation: SecretBytes(copying: [UInt8](key.rawRepresentation)))
        let statement = KeyStatement.first([StatedKey(pair)])
        func code(_ header: COSEHeader, _ label: [UInt8]) throws -> SecureChannelError.Code? {
            let message = try Sign1.signing(content.encoded, header: header, externalAAD: label) { bytes in
                [UInt8](try key.signature(for: bytes))
            }
            return refusal {
                try ApprovalRequestContent.verified(message, keys: statement, device: fixture.device, id: content.id)
            }
        }
        let header = COSEHeader(algorithm: .ed25519, keyID: pair.kid)
        #expect(try code(header, ApprovalRequestContent.externalAAD) == nil)
        #expect(try code(header, ApprovalAnswerContent.externalAAD) == .notAuthentic)
        #expect(try code(header, KeyStatement.externalAAD) == .notAuthentic)
        #expect(try code(COSEHeader(algorithm: .ed25519), ApprovalRequestContent.externalAAD) == .wrongKey)
        let labels: COSEParameters = [COSELabel.keyID: .bytes(pair.kid), COSELabel.version: .unsigned(1)]
        let longer = COSEHeader(algorithm: .ed25519, parameters: labels)
        #expect(try code(longer, ApprovalRequestContent.externalAAD) == .malformed)
        let device = COSEHeader(algorithm: .esp256, keyID: pair.kid)
        #expect(try code(device, ApprovalRequestContent.externalAAD) == .wrongKey)
    }

    @Test func `a request that breaks a rule of the format is refused, also with a valid signature`() throws {
        #expect(try code(signed { $0.display = .empty }) == .malformed)
        #expect(try code(signed { $0.expiry = $0.created.advanced(seconds: 301) }) == .malformed)
        #expect(try code(signed { $0.expiry = $0.created.advanced(seconds: -1) }) == .malformed)
        #expect(try code(signed { $0.digits = 9 }) == .malformed)
    }

    @Test func `a request with a field that this version cannot show is authentic and refused`() throws {
        // A field of type 10 instead of one of type 1, which has the same bytes otherwise.
        let field = CBORValue.array([.unsigned(1), .text("label"), .text("value")]).encoded
        var changed = content
        changed.display = try DisplayData([.field(label: "label", value: "value")])
        let bytes = changed.encoded
        let place = try #require(bytes.firstRange(of: field)).lowerBound
        func code(_ type: [UInt8]) throws -> SecureChannelError.Code? {
            let payload = Array(bytes[...place]) + type + bytes[(place + 2)...]
            return try self.code(ApprovalRequestContent(decoding: payload).signed(with: fixture.key))
        }
        #expect(try code([0x01]) == nil)
        #expect(try code([0x0A]) == .cannotDisplay)
        #expect(try code([0x18, 63]) == .cannotDisplay)
        #expect(try code([0x18, 64]) == nil)
    }
}

@Suite struct ApprovalAnswerSignatureTests {
    private let fixture: ApprovalFixture
    private let content: ApprovalAnswerContent

    init() throws {
        fixture = try ApprovalFixture()
        content = fixture.approval(of: try fixture.payment().signed(with: fixture.key))
    }

    private func code(
        _ answer: Sign1, key: [UInt8]? = nil, deviceID: [UInt8]? = nil
    ) -> SecureChannelError.Code? {
        refusal {
            try ApprovalAnswerContent.verified(
                answer, deviceKey: key ?? fixture.publicDeviceKey, deviceID: deviceID ?? fixture.device.id)
        }
    }

    @Test func `an answer of the device is verified`() async throws {
        let answer = try await fixture.signed(content)
        let verified = try ApprovalAnswerContent.verified(
            answer, deviceKey: fixture.publicDeviceKey, deviceID: fixture.device.id)
        #expect(verified.message == content)
        #expect(verified.encoded == answer.encoded)
    }

    @Test func `an answer of another key or device is refused`() async throws {
        let answer = try await fixture.signed(content)
        let other = P256.Signing.PrivateKey()
        #expect(code(answer, key: [UInt8](other.publicKey.compressedRepresentation)) == .notAuthentic)
        #expect(code(answer, deviceID: [UInt8](repeating: 0, count: 16)) == .wrongParty)
        #expect(code(try await fixture.signed(content, by: other)) == .notAuthentic)
        #expect(
            code(
                try Sign1.signing(content.encoded, header: COSEHeader(algorithm: .esp256), externalAAD: []) { bytes in
                    [UInt8](try fixture.deviceKey.signature(for: bytes).rawRepresentation)
                }) == .notAuthentic)
    }

    @Test func `an answer with a key id, or signed by the platform, is refused`() async throws {
        let header = COSEHeader(algorithm: .esp256, keyID: fixture.key.kid)
        let labeled = try Sign1.signing(
            content.encoded, header: header, externalAAD: ApprovalAnswerContent.externalAAD
        ) { bytes in [UInt8](try fixture.deviceKey.signature(for: bytes).rawRepresentation) }
        #expect(code(labeled) == .malformed)
        #expect(code(try fixture.payment().signed(with: fixture.key)) == .malformed)
    }

    @Test func `every flipped bit of an answer is refused`() async throws {
        let answer = try await fixture.signed(content)
        var accepted: [[UInt8]] = []
        for flipped in answer.encoded.bitFlips {
            guard let altered = try? Sign1(decoding: flipped) else { continue }
            if code(altered) == nil { accepted.append(flipped) }
        }
        #expect(accepted.isEmpty)
    }
}
