internal import Crypto
public import Primitives
internal import SecureChannel

extension Platform {
    /// How long an activation password opens an activation.
    static let codeLifetime: Int64 = 10 * 60_000

    /// Registers a user, or a further device of theirs, and makes an activation password.
    ///
    /// An earlier activation password of the account, and an activation that is under way with it, end here.
    ///
    /// - Parameter request: who, and an optional static password.
    /// - Returns: the activation password, good for 10 minutes and 5 tries.
    /// - Throws: ``PlatformError`` with `invalidStaticPassword`, `storeFailed`, `busy`.
    public func register(_ request: Registration) async throws -> RegistrationReceipt {
        if let password = request.staticPassword, !(1...1_024).contains(password.count) {
            throw PlatformError(.invalidStaticPassword)
        }
        try await deciding { try await sweep(now: time.now()) }
        return try await deciding {
            let now = time.now()
            let name = request.account.text
            let known = try await store.read { try $0.account(name) }
            let registrationID = Hex.encode(random.bytes(16))
            let code = ActivationPassword.make(random: random)
            var account = known ?? AccountRecord(name: name, createdAt: now, registrationID: registrationID)
            account.registrationID = registrationID
            account.activatedAt = nil
            if let password = request.staticPassword {
                let verifier = try await hasher.verifier(
                    of: password, salt: random.bytes(16), account: name)
                account.staticPassword = try sealer.seal(
                    verifier, .staticPassword, row: Array(name.utf8), revision: account.version + 1)
            }
            let record = ActivationPasswordRecord(
                account: name, registrationID: registrationID, serialNumber: Self.serialNumber(random),
                handle: code.handle,
                secret: try sealer.seal(
                    code.secret, .activationPassword, row: Array(registrationID.utf8), revision: 0),
                createdAt: now, expiresAt: now.advanced(milliseconds: Self.codeLifetime))
            let isNew = known == nil
            try await store.write { [account] store in
                try must(isNew ? store.insert(account) : store.update(account))
                try store.put(record)
                for device in try store.devices(of: name) where device.isUnfinished {
                    try DeviceRevocation.revoke(device, in: store, now: now, reason: "registeredAnew")
                }
                try store.append(AuditEntry(time: now, event: .registered, account: name))
            }
            metrics.count(.registrations)
            watch.changed(name)
            return RegistrationReceipt(
                registrationID: registrationID, serialNumber: record.serialNumber, expiresAt: record.expiresAt,
                typed: SecretBox<SecretBytes>(code.formatted()))
        }
    }

    /// Removes an account with its activation password and revokes all its devices.
    ///
    /// - Throws: ``PlatformError`` with `unknownUser`, `storeFailed`.
    public func unregister(_ account: AccountName) async throws {
        try await deciding {
            let (name, now) = (account.text, time.now())
            try await store.write { store in
                guard try store.account(name) != nil else { throw PlatformError(.unknownUser) }
                try Self.unregister(name, in: store, now: now)
            }
            watch.changed(name)
        }
    }

    static func unregister(_ name: String, in store: any StoreTransaction, now: Timestamp) throws {
        for device in try store.devices(of: name) where device.state != .revoked {
            try DeviceRevocation.revoke(device, in: store, now: now, reason: "unregistered")
        }
        try store.removeAccount(name)
        try store.append(AuditEntry(time: now, event: .unregistered, account: name))
    }

    /// `TI` and ten digits. It names, and opens nothing.
    private static func serialNumber(_ random: any RandomSource) -> String {
        let number = random.bytes(8).reduce(0) { $0 << 8 | UInt64($1) } % 10_000_000_000
        let digits = String(number)
        return "TI" + String(repeating: "0", count: 10 - digits.count) + digits
    }
}
