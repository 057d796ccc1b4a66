import Primitives
import Testing

@testable import TrustedIdentity

/// The HMAC of rows. The values were computed with Python's hmac and hashlib, from the description of the article
/// "What the platform keeps".
struct RowAuthenticatorTests {
    let authenticator: RowAuthenticator
    let keys: DataKeys

    init() throws {
        // The first key has the bytes 0, the second one the bytes 1, and so on.
        keys = try DataKeys(SecretBytes(copying: (0..<224).map { UInt8($0 / 32) }))
        authenticator = RowAuthenticator(tenant: "default", keys: keys)
    }

    static func time(_ milliseconds: Int64) -> Timestamp { Timestamp(millisecondsSinceEpoch: milliseconds) }

    static var account: AccountRecord {
        AccountRecord(
            name: "alice@master", createdAt: time(1_800_000_000_000), registrationID: "r1",
            activatedAt: time(1_800_000_000_005),
            staticPassword: SealedValue(revision: 5, bytes: [0xAA, 0xBB]), version: 4)
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
            secrets: SealedValue(revision: 3, bytes: [0xDD]),
            ratchet: SealedValue(revision: 9, bytes: [0xEE]))
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
                == "d129815b7844bec93874ad6321614aa67bc7b88f273da40ac9809d3502290e63")
    }

    @Test func `the keyed hashes of an API key and of a source have their published values`() {
        let hashes = keys.hashes
        #expect(
            Hex.encode(hashes.stored(apiKeySecret: SecretBytes(copying: "secret".utf8)))
                == "c35edbcbf0f5b5338a5c52eb67cc3ba72375ea6c80bb17ae38f6ad857b9780b8")
        #expect(
            hashes.stored(source: "browser", of: "alice@master")
                == "53f7af79903d412992a64aa9c370f6cb8d7b6c2185476417da77c81609859ad1")
    }

    @Test func `the key of an exported log and its name have their published values`() {
        #expect(
            Hex.encode(keys.auditExport.withSpan { [UInt8]($0) })
                == "5b38d5b980b917ea626a24bddacfaa01a655adedc4cfa1eb59223e80b3aeea28")
        #expect(keys.id == "37e9a247230cb413")
    }

    @Test func `the HMAC of the memory of the policy has its published value`() {
        let risk = AccountRiskRecord(account: "alice@master", state: [0x8A, 1], version: 4)
        #expect(
            Hex.encode(authenticator.code(of: risk))
                == "0838c245e0325e84e7cb1b65b30ffdef095e4c3dae0435fb6c275da1a50afc20")
    }

    @Test func `the keyed hashes of creditors and browsers have their published values, and depend on the account`() {
        let hashes = keys.hashes
        let hash = hashes.stored(browser: "f3b1", of: "alice@master")
        #expect(Hex.encode(hash) == "5c79d724e3591d25ada452917e4cde37")
        #expect(
            Hex.encode(hashes.stored(creditor: "ACME", of: "alice@master")) == "03421f0444e45a7c4c7c25a441d22139")
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
        let otherTenant = RowAuthenticator(tenant: "other", keys: keys)
        #expect(!otherTenant.isAuthentic(authenticator.authenticated(Self.account)))
        let otherKey = RowAuthenticator(tenant: "default", keys: try DataKeys(random: SystemRandomSource()))
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
