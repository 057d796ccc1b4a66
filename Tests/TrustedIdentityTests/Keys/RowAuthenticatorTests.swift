import Primitives
import Testing

@testable import TrustedIdentity

/// The HMAC of rows. The values were computed with Python's hmac and hashlib, from the description of the article
/// "What the platform keeps".
struct RowAuthenticatorTests {
    let authenticator: RowAuthenticator
    let masterKey: MasterKey

    init() throws {
        masterKey = try MasterKey(id: "m1", bytes: SecretBytes(copying: [UInt8](repeating: 3, count: 32)))
        authenticator = RowAuthenticator(tenant: "default", masterKey: masterKey)
    }

    static func time(_ milliseconds: Int64) -> Timestamp { Timestamp(millisecondsSinceEpoch: milliseconds) }

    static var account: AccountRecord {
        AccountRecord(
            name: "alice@master", createdAt: time(1_800_000_000_000), registrationID: "r1",
            activatedAt: time(1_800_000_000_005),
            staticPassword: SealedValue(keyID: "m1", revision: 5, bytes: [0xAA, 0xBB]), version: 4)
    }

    static var apiKey: APIKeyRecord {
        APIKeyRecord(
            id: "k1", name: "shop", scope: .administrator, secretHash: [UInt8](repeating: 9, count: 32),
            createdAt: time(1_800_000_000_000), version: 7)
    }

    static var device: DeviceRecord {
        var device = DeviceRecord(
            id: [UInt8](repeating: 7, count: 16), account: "alice@master", registrationID: "r1",
            serialNumber: "TI0000000001", createdAt: time(1006), pendingUntil: time(1007), name: "phone",
            sdkVersion: "1.0.0", methods: [0, 1, 2], deviceKey: [UInt8](repeating: 2, count: 33), suite: 2,
            secrets: SealedValue(keyID: "m1", revision: 3, bytes: [0xDD]),
            ratchet: SealedValue(keyID: "m1", revision: 9, bytes: [0xEE]))
        device.state = .locked
        device.lockReason = .cloneSuspected
        device.stateBeforeLock = .active
        device.activatedAt = time(1008)
        device.notificationIdentifier = "pull:00ff"
        device.ratchetIndex = 9
        device.offeredIndex = 10
        device.promotedAt = time(1009)
        device.generation = 3
        device.passwordFailures = 1
        device.receiptHashes = [0x0A]
        device.isRestored = true
        device.lastSeenAt = time(1010)
        device.version = 6
        return device
    }

    @Test func `each part of an enrolled method is in the HMAC`() {
        var device = Self.device
        var codes = [authenticator.code(of: device)]
        let enrolled = EnrolledMethod(
            method: .face, protection: .development, key: [UInt8](repeating: 3, count: 33),
            registeredAt: Self.time(1_800_000_000_009), requestedAt: Self.time(1_800_000_000_008))
        var changed = [enrolled, enrolled, enrolled, enrolled, enrolled]
        changed[1].method = .biometric
        changed[2].protection = .provider
        changed[3].key[32] ^= 1
        changed[4].registeredAt = Self.time(1_800_000_000_010)
        for method in changed {
            device.enrolledMethods = [method]
            codes.append(authenticator.code(of: device))
        }
        #expect(Set(codes).count == 6)
    }

    @Test func `the HMAC of a challenge has its published value`() {
        let challenge = ChallengeRecord(
            id: [UInt8](repeating: 5, count: 16), account: "alice@master", principal: "k1", challenge: "12345674",
            expiresAt: Self.time(1_800_000_300_000), usedAt: Self.time(1_800_000_000_009), version: 1)
        #expect(
            Hex.encode(authenticator.code(of: challenge))
                == "e5962371b3a95e92ba10ef499c40d2721a8c7629c597ca0fcd1fa97689637f8d")
    }

    @Test func `the keyed hashes of an API key and of a source have their published values`() {
        let hashes = KeyedHashes(masterKey: masterKey)
        #expect(
            Hex.encode(hashes.stored(apiKeySecret: SecretBytes(copying: "secret".utf8)))
                == "06301d7939b2d434ed942a49495ef289c82da5c5f0463ad03bf2a51dfce0a93a")
        #expect(
            hashes.stored(source: "browser", of: "alice@master")
                == "beee6d5617cd97a6aa13c43f38f752b8951fbdce21f79e984aa92dc2c153fcc9")
    }

    @Test func `the HMAC of the memory of the policy has its published value`() {
        let risk = AccountRiskRecord(account: "alice@master", state: [0x8A, 1], version: 4)
        #expect(
            Hex.encode(authenticator.code(of: risk))
                == "73c0c4c7bfba68ff6ee5f84ced0ba10b8644823760ae63e32ab2526ddcf87801")
    }

    @Test func `the keyed hashes of creditors and browsers have their published values, and depend on the account`() {
        let hashes = KeyedHashes(masterKey: masterKey)
        let hash = hashes.stored(browser: "f3b1", of: "alice@master")
        #expect(Hex.encode(hash) == "ce97d3777e373f2429539a3934450506")
        #expect(
            Hex.encode(hashes.stored(creditor: "ACME", of: "alice@master")) == "f58fd8e83853313dd8c69c6e40f934f4")
        #expect(hash != hashes.stored(browser: "f3b1", of: "bob@master"))
        #expect(hash != hashes.stored(browser: "f3b2", of: "alice@master"))
        #expect(hash != hashes.stored(creditor: "f3b1", of: "alice@master"))
    }

    @Test func `a row is authentic with its HMAC only`() throws {
        #expect(!authenticator.isAuthentic(Self.account), "without one")
        var account = authenticator.authenticated(Self.account)
        #expect(authenticator.isAuthentic(account))
        account.authenticationCode = [UInt8](repeating: 0, count: 32)
        #expect(!authenticator.isAuthentic(account), "with zeros")
        account = authenticator.authenticated(Self.account)
        account.authenticationCode?.removeLast()
        #expect(!authenticator.isAuthentic(account), "cut off")
        account = authenticator.authenticated(Self.account)
        account.name = "bob@master"
        #expect(!authenticator.isAuthentic(account), "of another row")
        let otherTenant = RowAuthenticator(tenant: "other", masterKey: masterKey)
        #expect(!otherTenant.isAuthentic(authenticator.authenticated(Self.account)))
        let otherKey = RowAuthenticator(tenant: "default", masterKey: try MasterKey.make(id: "m1"))
        #expect(!otherKey.isAuthentic(authenticator.authenticated(Self.account)))
    }

    @Test func `the HMAC for an update is that of the next version`() {
        var device = authenticator.authenticatedForUpdate(Self.device)
        #expect(device.version == Self.device.version)
        #expect(!authenticator.isAuthentic(device))
        device.version += 1
        #expect(authenticator.isAuthentic(device))
    }
}
