internal import Crypto
internal import OrchestrationProtocol
public import Primitives

extension Platform {
    /// The time for which an activation password starts an activation, in milliseconds.
    static let activationPasswordLifetime: Int64 = 10 * 60_000

    /// The numbers of bytes that a static password may have.
    private static let staticPasswordByteCounts = 1...1_024

    /// Registers a user, or a further device of a user, and creates an activation password.
    ///
    /// The previous activation password of the account becomes invalid, and an activation with it ends. This includes
    /// the activation password of an open move.
    ///
    /// - Parameter request: The account and an optional static password.
    /// - Returns: The activation password, which is valid for 10 minutes and 5 tries.
    /// - Throws: ``PlatformError`` with `invalidStaticPassword`, `storeFailed`, `busy`.
    public func register(_ request: Registration) async throws -> RegistrationReceipt {
        if let password = request.staticPassword, !Self.staticPasswordByteCounts.contains(password.count) {
            throw PlatformError(.invalidStaticPassword)
        }
        let name = request.account.text
        let verifier = try await verifier(of: request.staticPassword, account: name)
        return try await retryingConflicts {
            let now = time.now()
            let known = try await store.read { try $0.account(name) }
            guard known != nil || !request.requiresAccount else { throw PlatformError(.unknownUser) }
            let registrationID = Hex.encode(random.bytes(16))
            let activationPassword = ActivationPassword.make(random: random)
            var account = known ?? AccountRecord(name: name, createdAt: now, registrationID: registrationID)
            account.registrationID = registrationID
            account.activatedAt = nil
            account.finishedAt = nil
            account.subject = account.subject ?? random.bytes(16)
            if let verifier {
                account.staticPassword = try sealer.seal(
                    verifier.secret, .staticPassword, row: Array(name.utf8), revision: account.version + 1)
            }
            let record = try row(of: activationPassword, account: name, registrationID: registrationID, now: now)
            let isNew = known == nil
            let replaced = verifier == nil ? nil : known?.staticPasswordID
            let revocation = DeviceRevocation(sealer: sealer, now: now, reason: "registeredAnew")
            try await store.write { [account, hasPassword = verifier != nil] store in
                // A restore may have begun another epoch since the account was read.
                var account = account
                account.registrationEpoch = try store.currentState().epoch
                if hasPassword { account.staticPasswordEpoch = account.registrationEpoch }
                try requireWritten(isNew ? store.insert(account) : store.update(account))
                try store.replaceActivationPassword(by: record, dropping: revocation)
                try store.append(AuditEntry(time: now, event: .registered, account: name))
                if let replaced { try store.appendEnd(ofStaticPassword: replaced, of: name, now: now) }
            }
            metrics.count(.registrations)
            watch.changed(.account(name))
            return RegistrationReceipt(
                registrationID: registrationID, serialNumber: record.serialNumber, expiresAt: record.expiresAt,
                activationLink: configuration.publicAddress.flatMap {
                    ActivationLink(
                        address: $0, tenant: configuration.tenant, account: request.account, handle: record.handle)
                },
                activationPassword: SecretBox<SecretBytes>(activationPassword.formatted()))
        }
    }

    /// Returns the row of a new activation password.
    ///
    /// - Parameter movedDevice: The id of the device that moves; `nil` for a registration.
    func row(
        of activationPassword: borrowing ActivationPassword, account: String, registrationID: String,
        movedDevice: [UInt8]? = nil, now: Timestamp
    ) throws -> ActivationPasswordRecord {
        ActivationPasswordRecord(
            account: account, registrationID: registrationID, serialNumber: Self.serialNumber(random),
            handle: activationPassword.handle,
            secret: try sealer.seal(
                activationPassword.secret, .activationPassword, row: Array(registrationID.utf8),
                owner: RowOwner(account: account), revision: 0),
            createdAt: now, expiresAt: now.advanced(milliseconds: Self.activationPasswordLifetime),
            movedDevice: movedDevice)
    }

    /// Removes an account with its activation password and revokes all its devices.
    ///
    /// - Throws: ``PlatformError`` with `unknownUser`, `storeFailed`.
    public func unregister(_ account: AccountName) async throws {
        let (name, now) = (account.text, time.now())
        let canceled = try await write { [sealer] store in
            guard try store.account(name) != nil else { throw PlatformError(.unknownUser) }
            return try Self.unregister(name, in: store, sealer: sealer, now: now)
        }
        watch.changed(.account(name))
        for id in canceled { watch.changed(.approvalRequest(id)) }
    }

    /// Removes an account with its devices.
    ///
    /// - Returns: The ids of the approval requests that this has canceled.
    @discardableResult static func unregister(
        _ name: String, in store: StoreTransaction, sealer: RowSealer, now: Timestamp
    ) throws -> [[UInt8]] {
        let revocation = DeviceRevocation(sealer: sealer, now: now, reason: "unregistered")
        for device in try store.devices(of: name) where device.state != .revoked {
            try revocation.revoke(device, in: store)
        }
        if let ended = try store.account(name)?.staticPasswordID {
            try store.appendEnd(ofStaticPassword: ended, of: name, now: now)
        }
        let pending = try store.pendingApprovals(of: name)
        for approval in pending {
            try store.end(
                approval, as: .canceled, keptUntil: now.advanced(milliseconds: ApprovalRetention.unanswered), at: now)
        }
        // The entry gets the account's subject, which is unknown once the account is removed.
        try store.append(AuditEntry(time: now, event: .unregistered, account: name))
        try store.removeAccount(name)
        return pending.map(\.id)
    }

    /// Hashes a static password with a new salt. The hash depends on no row, which means that a conflict does not
    /// repeat it.
    private func verifier(
        of password: SecretBox<SecretBytes>?, account: String
    ) async throws -> SecretBox<SecretBytes>? {
        guard let password else { return nil }
        return try await PlatformError.mapping {
            SecretBox(try await hasher.verifier(of: password, salt: random.bytes(16), account: account))
        }
    }

    /// Returns `TI` and ten random digits. A serial number is an identifier and not a secret.
    private static func serialNumber(_ random: any RandomSource) -> String {
        let number = random.bytes(8).reduce(0) { $0 << 8 | UInt64($1) } % 10_000_000_000
        let digits = String(number)
        return "TI" + String(repeating: "0", count: 10 - digits.count) + digits
    }
}
