import OrchestrationTesting
import Primitives

@testable import TrustedIdentity

/// Checks of the contract of `SQLDatabase`. Run each check on a new, empty store.
///
/// A check cannot see durability, nor cause a failure of the storage. The tests of a store have to show that a write is
/// on the disk when it returns, and that a full disk, an I/O error, a lock and damage are reported as
/// `StoreError` of the right kind.
enum StoreContract {
    /// All checks.
    static let checks: [ConformanceCheck<any SQLDatabase>] =
        rows + devices + codes + challenges + throttles + approvals + transactions + expiry + logs + events
}

/// Example rows. Numbers have the largest allowed values, so that a column that is too narrow is noticed.
enum Rows {
    static let now = Timestamp(secondsSinceEpoch: 1_800_000_000)
    static let alice = "alice@master"
    static let large = UInt64(Int64.max)

    static func later(_ milliseconds: Int64) -> Timestamp { now.advanced(milliseconds: milliseconds) }

    static func id(_ byte: UInt8) -> [UInt8] { [UInt8](repeating: byte, count: 16) }

    static func sealed(_ byte: UInt8) -> SealedValue {
        SealedValue(revision: Int64(byte), bytes: [UInt8](repeating: byte, count: 40))
    }

    static func code(_ byte: UInt8) -> [UInt8] { [UInt8](repeating: byte, count: 32) }

    static func state(_ tenant: String = "default", version: Int64 = 0) -> PlatformStateRecord {
        PlatformStateRecord(
            tenant: tenant, createdAt: now, masterKeyID: "m1", dataKeys: sealed(8), version: version)
    }

    static func account(_ name: String = alice) -> AccountRecord {
        AccountRecord(
            name: name, createdAt: now, registrationID: "r1", activatedAt: later(5), finishedAt: later(6),
            staticPassword: sealed(1), registrationEpoch: .max, staticPasswordEpoch: 8,
            subject: name == alice ? id(0xA1) : nil)
    }

    static func activationPassword(
        _ account: String = alice, registration: String = "r1", expiresAt: Timestamp = later(600_000)
    ) -> ActivationPasswordRecord {
        ActivationPasswordRecord(
            account: account, registrationID: registration, serialNumber: "TI0000000001", handle: 0x7FFF,
            secret: sealed(2), createdAt: now, expiresAt: expiresAt)
    }

    static func session(
        _ byte: UInt8 = 1, keptUntil: Timestamp = later(600_000), expiresAt: Timestamp = later(120_000),
        source: String = ""
    ) -> ActivationSessionRecord {
        ActivationSessionRecord(
            id: id(byte), account: alice, registrationID: "r1", firstRequestHash: [UInt8](repeating: 7, count: 32),
            firstAnswer: [UInt8](repeating: 8, count: 1_400), keys: sealed(3), expiresAt: expiresAt,
            keptUntil: keptUntil, source: source)
    }

    static func device(
        _ byte: UInt8 = 1, account: String = alice, state: DeviceState = .active, createdAt: Timestamp = now
    ) -> DeviceRecord {
        var device = DeviceRecord(
            id: id(byte), account: account, registrationID: "r1", serialNumber: "TI0000000001", createdAt: createdAt,
            pendingUntil: later(1_800_000), name: "Zoë’s 📱", sdkVersion: "1.0.0", methods: [0, 1, 2],
            deviceKey: [UInt8](repeating: 2, count: 33), suite: 2, secrets: sealed(4), ratchet: sealed(5),
            promotedAt: createdAt)
        device.state = state
        if state == .revoked {
            device.secrets = nil
            device.ratchet = nil
            device.channelKey = sealed(7)
            device.revokedAt = later(9)
        }
        return device
    }

    static func challenge(
        _ byte: UInt8 = 1, account: String = alice, expiresAt: Timestamp = later(300_000)
    ) -> ChallengeRecord {
        ChallengeRecord(
            id: id(byte), account: account, principal: "k1", challenge: "0123456789012345", expiresAt: expiresAt)
    }

    static func replay(_ byte: UInt8 = 1, keptUntil: Timestamp = later(360_000)) -> ReplayRecord {
        ReplayRecord(
            device: id(1), request: id(byte), requestHash: [UInt8](repeating: 3, count: 32),
            answer: [UInt8](repeating: 4, count: 300), keptUntil: keptUntil)
    }

    static func refusal(_ byte: UInt8, of device: UInt8 = 1, keptUntil: Timestamp = later(360_000)) -> ReplayRecord {
        ReplayRecord(
            device: id(device), request: id(byte), requestHash: [UInt8](repeating: 3, count: 32), answer: [],
            refusal: .init(code: large, retryAfter: byte.isMultiple(of: 2) ? large : nil), keptUntil: keptUntil)
    }

    static func apiKey(_ id: String = "k1", createdAt: Timestamp = now) -> APIKeyRecord {
        APIKeyRecord(
            id: id, name: "shop", scope: .administrator, secretHash: [UInt8](repeating: 9, count: 32),
            createdAt: createdAt, epoch: .max, showsNumbers: true, domains: ["a.example", "bank"])
    }

    static func approval(
        _ byte: UInt8 = 1, account: String = alice, requestID: String = "r", principal: String = "k1",
        createdAt: Timestamp = now, expiresAt: Timestamp = later(120_000), keptUntil: Timestamp = later(600_000)
    ) -> ApprovalRecord {
        ApprovalRecord(
            id: id(byte), account: account, kind: .transaction, principal: principal, requestID: requestID,
            source: "s1", address: "0123456789abcdef", request: [UInt8](repeating: 1, count: 2_000),
            requestHash: code(byte),
            acceptedMethods: [.password, .face], number: sealed(8), isAnnounced: true, createdAt: createdAt,
            expiresAt: expiresAt, keptUntil: keptUntil)
    }

    /// An approval request that a device rejected.
    static func rejectedApproval(_ byte: UInt8) -> ApprovalRecord {
        var approval = approval(byte)
        approval.number = nil
        approval.isAnnounced = false
        approval.state = .rejected
        approval.amount = "123450"
        approval.currency = "EUR"
        approval.creditor = id(7)
        approval.browser = id(6)
        approval.sessionID = "session \(byte)"
        approval.deviceRules = [0x80, 1, 2]
        approval.openedAt = later(3)
        approval.endedAt = later(4)
        approval.device = id(9)
        approval.answerHash = code(8)
        approval.reason = .wrongData
        approval.receipt = [UInt8](repeating: 2, count: 3_000)
        return approval
    }

    static func decision(
        _ byte: UInt8 = 1, createdAt: Timestamp = now, keptUntil: Timestamp = later(600_000)
    ) -> PolicyDecisionRecord {
        PolicyDecisionRecord(
            id: id(byte), account: alice, createdAt: createdAt, record: [0x81, byte], keptUntil: keptUntil)
    }

    static func streamToken(
        _ byte: UInt8 = 1, device: UInt8 = 1, expiresAt: Timestamp = later(60_000)
    ) -> StreamTokenRecord {
        StreamTokenRecord(tokenHash: code(byte), device: id(device), expiresAt: expiresAt)
    }

    /// An event. The one with the number 2 has every field.
    static func event(_ byte: UInt8, sequence: Int64 = 0) -> EventRecord {
        var event = PlatformEvent(id: id(byte), .deviceLocked, time: later(Int64(byte)))
        if byte == 2 {
            event.account = alice
            event.device = id(9)
            event.reason = "because"
            event.requestID = String(repeating: "r", count: 64)
            event.apiKey = "k1"
            event.until = later(60_000)
            event.count = .max
        }
        return EventRecord(sequence: sequence, event: event)
    }

    static func platformKey(_ byte: UInt8 = 1, createdAt: Timestamp = now) -> PlatformKeyRecord {
        PlatformKeyRecord(
            id: [UInt8](repeating: byte, count: 8), purpose: .sealing, algorithm: 2,
            publicKey: [UInt8](repeating: byte, count: 1_216), privateKey: sealed(6), createdAt: createdAt,
            notBefore: later(2))
    }

    /// A key with a successor, whose private half is erased.
    static func erasedKey(_ byte: UInt8) -> PlatformKeyRecord {
        var key = platformKey(byte)
        key.purpose = .signing
        key.algorithm = -19
        key.privateKey = nil
        key.retiredAt = later(3)
        key.notAfter = later(4)
        key.replacedIn = UInt64(Int64.max)
        return key
    }

    static func statement(_ sequence: UInt64) -> KeyStatementRecord {
        KeyStatementRecord(sequence: sequence, statement: [0x81, UInt8(sequence)], createdAt: later(Int64(sequence)))
    }
}
