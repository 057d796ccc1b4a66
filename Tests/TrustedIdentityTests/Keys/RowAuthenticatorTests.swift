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

    @Test func `the HMAC of a row of each table has its published value`() {
        #expect(
            Hex.encode(authenticator.code(of: Self.apiKey))
                == "c67c375cf4083e7919f63fc80d25c25c815cfa535cedf08219406d87921954a4")
        #expect(
            Hex.encode(authenticator.code(of: Self.account))
                == "b2452e7f7cf499c6f61a233cc343e3da32c8f912be0f186a2c38b4073a5b1a53")
        #expect(
            Hex.encode(authenticator.code(of: Self.device))
                == "15ae209764de0d22f74b424cb37f837cebe1bad0582fde790af801d90cf419b4")
    }

    @Test func `a column that was added later is covered where it has a value, and only there`() {
        var device = Self.device
        device.lock(.restored)
        device.state = .revoked
        (device.lockReason, device.stateBeforeLock, device.notificationIdentifier) = (nil, nil, nil)
        (device.secrets, device.ratchet, device.receiptHashes, device.isRestored) = (nil, nil, [], false)
        device.revokedAt = Self.time(1011)
        let before = authenticator.code(of: device)
        device.channelKey = SealedValue(keyID: "m1", revision: 0, bytes: [0xCC])
        #expect(
            Hex.encode(authenticator.code(of: device))
                == "326653da7dee2e62d5e66b07daaaec62f0541d693bcdcc3eb9c979e40a54b07b")
        #expect(authenticator.code(of: device) != before)
    }

    @Test func `the time when a registration was finished is part of the HMAC`() {
        var account = Self.account
        account.finishedAt = Self.time(1_800_000_000_006)
        #expect(
            Hex.encode(authenticator.code(of: account))
                == "25af842b5c5b9225787b3d31746e14a45d74cee5f4b89a33b9123ee204995da5")
    }

    @Test func `an epoch is part of the HMAC, unless it is the first one`() {
        var (key, account, device) = (Self.apiKey, Self.account, Self.device)
        key.epoch = 3
        account.registrationEpoch = 2
        account.staticPasswordEpoch = 1
        device.epoch = 3
        #expect(
            Hex.encode(authenticator.code(of: key))
                == "1a3c7ba6d218d3ed7fe1ea610a0923c93c0a62c74ff5719ba6f97ca0955cbf29")
        #expect(
            Hex.encode(authenticator.code(of: account))
                == "23d578ec2661c9a336e6d33efce63c0a39dd28d02e95bc5257c028a883bf7e85")
        #expect(
            Hex.encode(authenticator.code(of: device))
                == "0eb785475a97bc932e9601df78ddcac3857f58301eeb6fe07659a6bd7b0a6917")
    }

    @Test func `the domains of an API key are part of the HMAC, unless there are none`() {
        var key = Self.apiKey
        key.domains = ["a.example", "bank"]
        #expect(
            Hex.encode(authenticator.code(of: key))
                == "b88d4b4507093d3f839e5d8b6287b04d38e1aeb45f829c8305d9411f4503f3bb")
        #expect(authenticator.code(of: key) != authenticator.code(of: Self.apiKey))
    }

    @Test func `the HMAC of the row about the platform has its published value`() {
        var state = PlatformStateRecord(
            tenant: "default", createdAt: Self.time(1_800_000_000_000), restoredAt: Self.time(1_800_000_000_009),
            epoch: 3, restoredSequence: 77, suspendedBelow: 2, suspendedBelowBefore: 1, version: 5)
        #expect(
            Hex.encode(authenticator.code(of: state))
                == "656669e095a8c595d0951455d636f480675573f2b4a824a57424108776efb8e9")
        state.changeKeyID = [UInt8](repeating: 9, count: 8)
        #expect(
            Hex.encode(authenticator.code(of: state))
                == "1107c8512698734e527be7ef89fd35032b274e1b914ce33dfb7e4ecfd7078c37")
    }

    @Test func `an open change of the password is part of the HMAC, and none has the HMAC from before`() {
        var device = Self.device
        let none = authenticator.code(of: device)
        device.offeredGeneration = device.generation
        #expect(authenticator.code(of: device) == none)
        device.offeredGeneration = 4
        #expect(
            Hex.encode(authenticator.code(of: device))
                == "134c2acecc47c4f4517ffd5e7a64cf36b655d38d5d870f596a6a58e73380f11a")
    }

    @Test func `each part of an enrolled method is in the HMAC, and none has the HMAC from before`() {
        var device = Self.device
        var codes = [authenticator.code(of: device)]
        device.enrolledMethods = []
        #expect(authenticator.code(of: device) == codes[0])
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

    @Test func `the HMAC of an approval request, with and without a browser, has its published value`() {
        var approval = ApprovalRecord(
            id: [UInt8](repeating: 5, count: 16), account: "alice@master", kind: .transaction, principal: "k1",
            requestID: "t-1", source: "s1", request: [1, 2], requestHash: [UInt8](repeating: 6, count: 32),
            acceptedMethods: [.password, .face], isAnnounced: true, createdAt: Self.time(1_800_000_000_000),
            expiresAt: Self.time(1_800_000_120_000), keptUntil: Self.time(1_834_560_000_000), version: 3)
        (approval.amount, approval.currency) = ("2500", "EUR")
        approval.creditor = [UInt8](repeating: 7, count: 16)
        (approval.state, approval.reason) = (.rejected, .wrongData)
        (approval.openedAt, approval.endedAt) = (Self.time(1_800_000_000_001), Self.time(1_800_000_000_002))
        approval.device = [UInt8](repeating: 8, count: 16)
        approval.answerHash = [UInt8](repeating: 9, count: 32)
        approval.receipt = [3, 4]
        #expect(
            Hex.encode(authenticator.code(of: approval))
                == "9d1354877eb165be436485517e2f6455950785df214ff971cf56d1cd686fadef")
        approval.browser = [UInt8](repeating: 10, count: 16)
        #expect(
            Hex.encode(authenticator.code(of: approval))
                == "69931cc09c2b1f22e95b1cc701e92578b79b407af15d27f96d28750d9e6776b6")
        approval.sessionID = "s"
        #expect(
            Hex.encode(authenticator.code(of: approval))
                == "bdede436ec80f2a74b07613f5a687c50a56b73f17be8e18945e7ab4f1c08c4ff")
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
