import Crypto
import OrchestrationProtocol
import Primitives

@testable import Orchestration

/// The values of the tests of the vault.
enum Sample {
    static func salts(_ byte: UInt8 = 1) throws -> Salts {
        try Salts(
            authenticator: [UInt8](repeating: byte, count: 16), storage: [UInt8](repeating: byte + 100, count: 16))
    }

    static func key(_ byte: UInt8) -> SymmetricKey { SymmetricKey(data: [UInt8](repeating: byte, count: 32)) }

    static func account(_ user: String = "alice") throws -> AccountName {
        try AccountName(userID: user, domain: "master")
    }

    static let platformKeys = [
        StatedKey(
            kid: [UInt8](repeating: 1, count: 8), use: .signing, algorithm: -19,
            bytes: [UInt8](repeating: 2, count: 32),
            notBefore: Timestamp(millisecondsSinceEpoch: 0)),
        StatedKey(
            kid: [UInt8](repeating: 3, count: 8), use: .sealing, algorithm: 1, bytes: [UInt8](repeating: 4, count: 32),
            notBefore: Timestamp(millisecondsSinceEpoch: 0)),
        StatedKey(
            kid: [UInt8](repeating: 5, count: 8), use: .sealing, algorithm: 2,
            bytes: [UInt8](repeating: 6, count: 1_216), notBefore: Timestamp(millisecondsSinceEpoch: 0)),
    ]

    static func record(of user: String = "alice", cost: ScryptCost = .testing) throws -> UserRecord {
        let application = CryptoApplication(index: 1, kind: .timeBased, digits: 8, timeStep: 30, hasHostCode: true)
        let signature = CryptoApplication(index: 4, kind: .signature, digits: 8, timeStep: 0, hasHostCode: false)
        return UserRecord(
            account: try account(user), tenant: "default", deviceID: [UInt8](repeating: 7, count: 16),
            serials: ["P-1", "N-1"], activationHandle: 0x7ABC,
            pendingUntil: Timestamp(secondsSinceEpoch: 1_767_225_600), suite: 2, presharedKey: key(0x11),
            platformKeys: KeyStatement(
                sequence: 3, previous: [UInt8](repeating: 9, count: 32),
                time: Timestamp(secondsSinceEpoch: 1_767_000_000), keys: platformKeys),
            maskedSecret: [UInt8](repeating: 0x22, count: 32), salt: [UInt8](repeating: 0x33, count: 32), cost: cost,
            possessionSecret: key(0x44), ratchet: key(0x55),
            ratchetMovedAt: Timestamp(secondsSinceEpoch: 1_767_000_000), pinPolicy: .default,
            applications: [application, signature].compactMap { $0 },
            capabilities: Capability.device.numbers, counters: [4: 9, 2: UInt64.max])
    }

    static func vault(
        _ store: any SecureStore, _ keys: any DeviceKeyProvider, tenant: String = "default",
        costs: Set<ScryptCost> = [.testing]
    ) throws -> Vault {
        Vault(
            store: store, deviceKeys: keys, salts: try salts(), tenant: tenant, allowedCosts: costs,
            random: SystemRandomSource())
    }

    static func bytes(_ key: SymmetricKey) -> [UInt8] { unsafe key.withUnsafeBytes { unsafe Array($0) } }

    static func password(_ text: String) -> Password { Password(SecretBytes(copying: Array(text.utf8))) }
}
