import Crypto
import OrchestrationProtocol
import Primitives
import TestSupport
import Testing

/// Valid bytes in the wrong place: other devices, tenants, keys and suites.
@Suite struct ChannelConfusionTests {
    @Test(arguments: Suite.allCases)
    func `a request of another tenant, device or secret is refused`(suite: Suite) throws {
        let fixture = try ChannelFixture(suite)
        let command = try fixture.seal().command
        let device = [UInt8](repeating: 0x12, count: 16)
        #expect(refusal { try fixture.open(command, as: fixture.identity(tenant: "other")) } == .notAuthentic)
        #expect(refusal { try fixture.open(command, as: fixture.identity(deviceID: device)) } == .wrongParty)
        let secret = SymmetricKey(data: [UInt8](repeating: 0x23, count: 32))
        #expect(refusal { try fixture.open(command, as: fixture.identity(presharedKey: secret)) } == .notAuthentic)
        // The header names the other device, too, but the keys are derived from the first one.
        let moved = try ChannelFixture.forge(command) { $0.deviceID = device }
        #expect(refusal { try fixture.open(moved, as: fixture.identity(deviceID: device)) } == .notAuthentic)
    }

    @Test(arguments: Suite.allCases)
    func `an answer under another secret is refused`(suite: Suite) throws {
        let fixture = try ChannelFixture(suite)
        let (command, opener) = try fixture.seal()
        var other = fixture
        other.identity = fixture.identity(presharedKey: SymmetricKey(data: [UInt8](repeating: 0x23, count: 32)))
        let foreign = try ChannelFixture.forgeAnswer(other.answer(other.seal().command)) {
            $0.requestHash = opener.requestHash
        }
        #expect(refusal { try opener.open(foreign) } == .notAuthentic)
        #expect(refusal { try opener.open(fixture.answer(command)) } == nil)
    }

    @Test(arguments: Suite.allCases)
    func `a request to another key is refused`(suite: Suite) throws {
        let fixture = try ChannelFixture(suite)
        let other = try SealingKeyPair(suite: suite, random: SeededRandom(2))
        let command = try fixture.seal().command
        #expect(refusal { try fixture.open(command, with: other) } == .wrongKey)
        let moved = try ChannelFixture.forge(command) { $0.platformKeyID = other.kid }
        #expect(refusal { try fixture.open(moved, with: other) } == .notAuthentic)
    }

    @Test func `a suite is not accepted as the other`() throws {
        let classic = try ChannelFixture(.classic)
        let hybrid = try ChannelFixture(.hybrid)
        let classicCommand = try classic.seal().command
        let hybridCommand = try hybrid.seal().command

        // The device was activated with the other suite than the key's.
        #expect(refusal { try classic.open(classicCommand, as: hybrid.identity) } == .unsupportedSuite)
        #expect(refusal { try hybrid.open(hybridCommand, as: classic.identity) } == .unsupportedSuite)
        // The client is given a key of the other suite.
        var mixed = classic
        mixed.identity = hybrid.identity
        #expect(refusal { try mixed.seal() } == .unsupportedSuite)

        // A header of suite 1 that names the X-Wing key: the key decides.
        let disguised = try ChannelFixture.forge(classicCommand) { $0.platformKeyID = hybrid.pair.kid }
        #expect(refusal { try hybrid.open(disguised) } == .unsupportedSuite)
        #expect(refusal { try hybrid.open(disguised, as: classic.identity) } == .unsupportedSuite)
        // The reverse.
        let opposite = try ChannelFixture.forge(hybridCommand) { $0.platformKeyID = classic.pair.kid }
        #expect(refusal { try classic.open(opposite) } == .unsupportedSuite)

        // An X-Wing key under the name of X25519, which swift-crypto would take, and the reverse.
        let renamed = PlatformPublicKey(suite: .classic, bytes: hybrid.pair.publicKey.bytes)
        #expect(refusal { try seal(to: renamed, as: classic.identity) } == .malformed)
        let shrunk = PlatformPublicKey(suite: .hybrid, bytes: classic.pair.publicKey.bytes)
        #expect(refusal { try seal(to: shrunk, as: hybrid.identity) } == .malformed)
    }

    @Test func `a request with the encapsulated key of another one is refused`() throws {
        for suite in Suite.allCases {
            let fixture = try ChannelFixture(suite)
            let (first, second) = (try fixture.seal().command, try fixture.seal().command)
            let enc = try ChannelRequest(decoding: second).header.encapsulatedKey
            let forged = try ChannelFixture.forge(first) { $0.encapsulatedKey = enc }
            #expect(refusal { try fixture.open(forged) } == .notAuthentic)
        }
    }

    @Test func `encapsulated keys of low order are refused before HPKE sees them`() throws {
        let fixture = try ChannelFixture()
        let command = try fixture.seal().command
        let points = try Vectors.decode(CPaceTests.File.self, "cpace/cpace_testvectors.json").points
        for index in [0, 1, 2, 3, 4, 5, 7] {
            let point = [UInt8](hex: try #require(points["Invalid Y\(index)"]))
            for highBit in [0x00, 0x80] as [UInt8] {
                let enc = point.dropLast() + [point[31] | highBit]
                let forged = try ChannelFixture.forge(command) { $0.encapsulatedKey = Array(enc) }
                #expect(refusal { try fixture.open(forged) } == .lowOrderPoint)
                let key = PlatformPublicKey(suite: .classic, bytes: Array(enc))
                #expect(refusal { try seal(to: key, as: fixture.identity) } == .lowOrderPoint)
            }
        }
        let hybrid = try ChannelFixture(.hybrid)
        let forged = try ChannelFixture.forge(hybrid.seal().command) {
            $0.encapsulatedKey = $0.encapsulatedKey.dropLast(32) + [UInt8](repeating: 0, count: 32)
        }
        #expect(refusal { try hybrid.open(forged) } == .lowOrderPoint)
    }

    @Test func `a platform key must have its own id`() throws {
        let fixture = try ChannelFixture()
        let wrong = PlatformPublicKey(
            kid: [UInt8](repeating: 0, count: 8), suite: .classic, bytes: fixture.pair.publicKey.bytes)
        #expect(refusal { try seal(to: wrong, as: fixture.identity) } == .wrongKey)
        let signing = try SigningKeyPair(privateRepresentation: SeededRandom(3).secret(32))
        let right = try KeyStatement.first(signing: signing, sealing: [fixture.pair.publicKey])
        let key = try KeyStatement.verified(first: right, suite: .classic)
            .sealingKey(of: .classic, at: ChannelFixture.expiry)
        #expect(key == fixture.pair.publicKey)
        let mislabeled = try KeyStatement.first(signing: signing, sealing: [wrong])
        #expect(refusal { try KeyStatement.verified(first: mislabeled, suite: .classic) } == .wrongKey)
    }

    private func seal(
        to key: PlatformPublicKey, as identity: ChannelIdentity
    ) throws(SecureChannelError) -> OrchestrationCommand {
        try ChannelClient.seal(
            [1], to: key, as: identity, requestID: [UInt8](repeating: 1, count: 16), expiry: ChannelFixture.expiry,
            random: SeededRandom(8)
        ).command
    }
}
