internal import OrchestrationProtocol
public import Primitives

/// The limits of unlock codes.
enum UnlockLimits {
    /// The time for which an unlock code is accepted, in milliseconds: 10 minutes.
    static let lifetime: Int64 = 10 * 60_000
    /// The number of wrong codes that end an unlock code.
    static let tries = 5
    /// The number of unlock codes that are issued for an account in ``countedTime``.
    static let codes = 5
    /// The time in which the codes of an account are counted, in milliseconds: 24 hours.
    static let countedTime: Int64 = 24 * 3_600_000
}

/// An unlock code that was just issued. The code is available only here.
public struct UnlockCode: Sendable {
    /// The id of the device that the code unlocks, 16 bytes.
    public let device: [UInt8]
    /// The time from which the code is refused: 10 minutes after its issue.
    public let expiresAt: Timestamp
    private let secret: SecretBox<SecretBytes>

    /// The code, `XXXX-XXXX-XXXX`. Hand it to the user over another channel than the app's network.
    public var code: String { secret.text }

    fileprivate init(device: [UInt8], expiresAt: Timestamp, secret: SecretBox<SecretBytes>) {
        self.device = device
        self.expiresAt = expiresAt
        self.secret = secret
    }
}

extension Platform {
    /// Issues an unlock code, with which a user sets a new password on a device that is locked after wrong passwords,
    /// or whose password the user has forgotten.
    ///
    /// The code is valid on that device only, for 10 minutes and 5 tries, and once. A code that was previously issued
    /// for the device ends. At most five are issued for an account in 24 hours. Each issue and each use is an entry of
    /// the audit log and a ``PlatformEvent``. See the article "A password that cannot be tested on the device".
    ///
    /// - Parameters:
    ///   - account: The account of the device.
    ///   - id: The id of the device, 16 bytes; `nil` for the only locked device of the account, or the only device
    ///     if none is locked.
    ///   - scope: The scope of the caller, which is the reason in the audit log.
    /// - Throws: ``PlatformError`` with `unknownUser`; `unknownDevice` for a device of another account, for a device
    ///   whose activation is not complete, and for an account without a device; `alreadyRevoked`; `deviceNotUnlockable`
    ///   for a device that is locked as a copy, and for an account without any other device; `deviceRequired` when the
    ///   account has several devices that may be meant; `tooManyUnlockCodes`; `alteredRow`, `storeFailed`.
    public func issueUnlockCode(
        for account: AccountName, device id: [UInt8]? = nil, requestedBy scope: APIKeyScope = .administrator
    ) async throws -> UnlockCode {
        let (name, now) = (account.text, time.now())
        let code = ActivationPassword.make(random: random)
        let (recordID, handle) = (random.bytes(16), code.handle)
        let expiresAt = now.advanced(milliseconds: UnlockLimits.lifetime)
        let secret = MessageSecret(code.secret.copy())
        let device = try await write { [hashes] store in
            guard try store.account(name) != nil else { throw PlatformError(.unknownUser) }
            let device = try store.devices(of: name).deviceToUnlock(named: id)
            let issued = try store.unlockCodeCount(
                of: name, after: now.advanced(milliseconds: -UnlockLimits.countedTime))
            guard issued < UnlockLimits.codes else { throw PlatformError(.tooManyUnlockCodes) }
            try requireWritten(
                store.insert(
                    UnlockCodeRecord(
                        id: recordID, account: name, device: device, handle: handle,
                        secretHash: hashes.stored(unlockCodeSecret: secret, id: recordID, device: device),
                        createdAt: now, expiresAt: expiresAt)))
            try store.append(
                AuditEntry(time: now, event: .unlockIssued, account: name, device: device, reason: scope.rawValue))
            return device
        }
        return UnlockCode(device: device, expiresAt: expiresAt, secret: SecretBox<SecretBytes>(code.formatted()))
    }
}

extension [DeviceRecord] {
    /// Returns the id of the device of an account that an unlock code is for.
    ///
    /// - Parameter id: The device that the caller names; `nil` for the one that can be meant.
    fileprivate func deviceToUnlock(named id: [UInt8]?) throws(PlatformError) -> [UInt8] {
        guard let id else {
            let activated = filter(\.isActivated)
            let unlockable = activated.filter { $0.lockReason != .cloneSuspected }
            guard activated.isEmpty || !unlockable.isEmpty else { throw PlatformError(.deviceNotUnlockable) }
            let locked = unlockable.filter { $0.state == .locked }
            let meant = locked.isEmpty ? unlockable : locked
            guard let device = meant.first else { throw PlatformError(.unknownDevice) }
            guard meant.count == 1 else { throw PlatformError(.deviceRequired) }
            return device.id
        }
        guard let device = first(where: { $0.id == id }) else { throw PlatformError(.unknownDevice) }
        guard device.state != .revoked else { throw PlatformError(.alreadyRevoked) }
        guard device.isActivated else { throw PlatformError(.unknownDevice) }
        guard device.lockReason != .cloneSuspected else { throw PlatformError(.deviceNotUnlockable) }
        return id
    }
}
