import Crypto
import OneTimePassword
import Orchestration
import OrchestrationProtocol
import Primitives

/// The data of an attacker: the decrypted record and the secrets of its device key, without the password.
struct StolenDevice: Sendable {
    let record: UserRecord
    let passwordSecret: SymmetricKey
    let storageSecret: SymmetricKey

    /// Creates a copy of all data.
    init(of account: AccountName, from vault: Vault) async throws {
        guard let (record, key) = try await vault.open(account) else { throw NothingToSteal() }
        self.record = record
        passwordSecret = try await key.secret(.password)
        storageSecret = try await key.secret(.storage)
    }

    /// The result of a guess: a pad and, with it, a candidate for K₁.
    struct Guess: Sendable {
        let password: String
        let pad: [UInt8]
        let candidate: [UInt8]

        var key: SymmetricKey { SymmetricKey(data: candidate) }
    }

    /// Tries a password. There is no branch: every password gives 32 bytes in the same way.
    func guess(_ text: String) async throws -> Guess {
        let password = Password(SecretBytes(copying: text.utf8))
        let candidate = try await PasswordMask.unmask(
            masked: record.maskedSecret, password: password, salt: record.salt, cost: record.cost,
            deviceSecret: passwordSecret)
        let bytes = candidate.bytes
        return Guess(password: text, pad: zip(bytes, record.maskedSecret).map { $0 ^ $1 }, candidate: bytes)
    }

    /// Tries many passwords, on every core.
    func guesses(_ passwords: [String]) async throws -> [Guess] {
        try await withThrowingTaskGroup(of: (Int, [Guess]).self) { group in
            for start in stride(from: 0, to: passwords.count, by: 500) {
                let share = passwords[start..<min(start + 500, passwords.count)]
                group.addTask {
                    var guesses: [Guess] = []
                    for password in share { guesses.append(try await guess(password)) }
                    return (start, guesses)
                }
            }
            return try await group.reduce(into: []) { $0.append($1) }.sorted { $0.0 < $1.0 }.flatMap(\.1)
        }
    }

    /// Returns the code of a candidate at the ratchet state of the record.
    func code(
        _ candidate: SymmetricKey, application: UInt8, value: UInt64, fields: [DataField] = []
    ) throws -> String {
        let key = OneTimePasswordKey(
            InstanceKeys.codeKey(
                secret: candidate, ratchet: record.ratchet, application: application, instance: .password,
                device: record.address))
        guard !fields.isEmpty else { return try HOTP(key: key, digits: 8).code(counter: value).digits }
        let question = SignedQuestion.hash(
            purpose: .signature, tenant: record.tenant, instance: .password, application: application, challenge: nil,
            counter: value, fields: fields)
        return try OCRA(suite: .hashedSignature, key: key).code(for: .init(.hash(question), counter: value)).digits
    }
}

/// The device has no activated user.
struct NothingToSteal: Error {}

extension SymmetricKey {
    /// The bytes, for tests that search for them.
    var bytes: [UInt8] { unsafe withUnsafeBytes { unsafe Array($0) } }
}

/// The PINs that the attacker tries: the right one, and others of the same form.
enum PINList {
    static func pins(_ count: Int, with right: String) -> [String] {
        // 7,919 is a prime and has no divisor in common with 10^6: no PIN comes twice.
        let others = (0..<count).map { number in
            let digits = String((123_456 + 7_919 * number) % 1_000_000)
            return String(repeating: "0", count: 6 - digits.count) + digits
        }
        return [right] + others.filter { $0 != right }.prefix(count - 1)
    }
}
