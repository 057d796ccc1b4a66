public import Primitives

extension Platform {
    /// Revokes one device of an account. ``account(_:)`` lists the devices.
    ///
    /// In one transaction the device becomes inactive and its keys are erased: its codes are refused from then on, and
    /// so are its requests. For the time of ``Retention/revokedDevices``, or until 20 later devices of the account are
    /// revoked, the platform refuses requests of the device under its seal, with the reason. Then the device is
    /// unknown. A device whose activation is not complete is removed at once. Both cases add an entry to the audit log,
    /// with the scope as its reason.
    ///
    /// - Parameters:
    ///   - id: The id of the device, 16 bytes.
    ///   - account: The account of the device.
    ///   - scope: The scope of the caller.
    /// - Throws: ``PlatformError`` with `unknownUser`, `unknownDevice` (also for the device of another account),
    ///   `alreadyRevoked`, `alteredRow`, `storeFailed`.
    public func revokeDevice(
        _ id: [UInt8], of account: AccountName, requestedBy scope: APIKeyScope = .administrator
    ) async throws {
        let name = account.text
        let revocation = DeviceRevocation(sealer: sealer, now: time.now(), reason: scope.rawValue)
        try await write { store in
            guard try store.account(name) != nil else { throw PlatformError(.unknownUser) }
            guard let device = try store.device(id), device.account == name else {
                throw PlatformError(.unknownDevice)
            }
            guard device.state != .revoked else { throw PlatformError(.alreadyRevoked) }
            try revocation.revoke(device, in: store)
        }
        watch.changed(.account(name))
    }
}
