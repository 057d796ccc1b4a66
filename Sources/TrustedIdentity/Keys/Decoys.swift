internal import Crypto
internal import Primitives
internal import Synchronization

/// Sealed values in place of those of a device or an activation password that does not exist, so that the work is the
/// same.
struct Decoys: Sendable {
    /// The name of the decoys' rows, which is as long as the id of a device. No device has this name.
    static let row: [UInt8] = Array("decoy keys' row!".utf8)
    /// The account of the row of a device that is read when the store has no account. No account name is empty.
    static let account = ""
    /// The number of names whose counts of failures are written in place of those of accounts that do not exist.
    static let throttleAccounts = 16_384
    /// The number of names that have a bound of entries in the log, and challenges, in place of accounts that do not
    /// exist. They are fewer, because each may leave rows in the log every hour.
    static let listedAccounts = 1_024
    /// The id of the device of that account.
    static let device: [UInt8] = Array("decoy device row".utf8)

    /// The owner of the decoys of devices. It is made as that of a device is, so that the work is the same.
    static var owner: RowOwner { RowOwner(account: "decoy@decoy", deviceKey: [UInt8](repeating: 2, count: 33)) }

    /// The name whose counts of failures are written for an account that does not exist. Accounts that do not exist
    /// share these names, so that strangers cannot fill the store. There are many, so that the rows of one are no more
    /// often in the caches of the processor, and no more often written at the same time, than those of an existing
    /// account.
    ///
    /// The ``Maintenance`` stores their rows before they are needed, and nothing removes them.
    ///
    /// No account has one of these names, because they contain no `@`. The hash has another key in each process, so
    /// that names that share a row cannot be chosen.
    static func throttleAccount(for name: AccountName) -> String { throttleAccount(for: name.text) }

    /// The name whose counts are written for an account that does not exist, from its normalized name.
    static func throttleAccount(for name: String) -> String { sharedName(number(for: name, among: throttleAccounts)) }

    /// The name whose entries and challenges are bounded for an account that does not exist, from its normalized name.
    ///
    /// The ``listedAccounts`` names are spread evenly over the ``throttleAccounts`` names, all of which have a row in
    /// the store. Their rows are therefore on many pages. Neighboring rows would be in memory sooner than those of
    /// accounts.
    static func listedAccount(for name: String) -> String {
        sharedName(number(for: name, among: listedAccounts) * (throttleAccounts / listedAccounts))
    }

    private static func number(for name: String, among count: Int) -> Int {
        Int(UInt(bitPattern: name.hashValue) % UInt(count))
    }

    /// The shared name with a number, from 0.
    static func sharedName(_ number: Int) -> String { "unknown \(number)" }

    let secrets: SealedValue
    let ratchet: SealedValue
    let activationPassword: SealedValue

    init(sealer: RowSealer, random: any RandomSource) throws {
        let owner = Self.owner
        secrets = try sealer.seal(random.secret(96), .deviceSecrets, row: Self.row, owner: owner, revision: 0)
        ratchet = try sealer.seal(random.secret(64), .deviceRatchet, row: Self.row, owner: owner, revision: 0)
        let password = ActivationPassword.make(random: random)
        activationPassword = try sealer.seal(
            password.secret, .activationPassword, row: Self.row, owner: RowOwner(account: Self.account), revision: 0)
    }

    /// Stores a revoked device of the account that does not exist, if the store has none. A login of an unknown user
    /// whose name comes before those of all accounts reads it, because reading a row takes a measurable part of the
    /// time of a login. A row that was altered is replaced.
    static func insertDevice(in store: any StoreTransaction, now: Timestamp) throws {
        guard try ifUnaltered({ try store.device(device) }) == nil else { return }
        try store.removeDevice(device)
        var record = DeviceRecord(
            id: device, account: account, registrationID: "decoy", serialNumber: "decoy", createdAt: now,
            pendingUntil: now, name: "decoy", sdkVersion: "decoy", methods: [],
            deviceKey: Array(repeating: 2, count: 33),
            suite: 1, secrets: nil, ratchet: nil)
        record.state = .revoked
        record.revokedAt = now
        record.receiptHashes = Array(repeating: 0, count: 32)
        try requireWritten(store.insert(record))
    }
}

/// The decoys of a running platform. They are sealed under its present master key, as its rows are.
final class DecoyBox: Sendable {
    private let present: Mutex<Decoys>

    init(_ decoys: Decoys) { present = Mutex(decoys) }

    /// The decoys at this moment.
    var decoys: Decoys { present.withLock { $0 } }

    func replace(by decoys: Decoys) { present.withLock { $0 = decoys } }
}

extension Platform {
    /// The decoys at this moment.
    var decoys: Decoys { decoyBox.decoys }
}
