/// The users of an app on this device. ``Orchestrator/user(_:domain:)`` returns one of them.
///
/// Users share nothing: each activation has its own keys, its own password and its own record. Every method may be
/// called from any task and throws `OrchestrationError` or `CancellationError`.
public struct Users: Sendable {
    static let deletion = FlowKind("deletion")

    let orchestrator: Orchestrator

    private var environment: FlowEnvironment { orchestrator.environment }

    /// Returns every user in the store, including users whose activation is not finished or whose record cannot be
    /// read.
    ///
    /// - Returns: First the users whose records can be read, sorted by account, then the other records, sorted by their
    ///   names in the store. ``Entry/error`` describes what an app can offer for these.
    /// - Throws: `storeUnavailable`, `storeLocked` and other errors of the store when it cannot list its records.
    public func list() async throws -> [Entry] {
        do {
            let contents = try await environment.vault.contents()
            let unreadable = contents.failures.sorted { $0.key.text < $1.key.text }
            return contents.records.map { Entry($0.record, name: $0.name) }
                + unreadable.map { Entry(unreadable: $0.key, $0.value) }
        } catch {
            throw OrchestrationError.leavingTheSDK(error)
        }
    }

    /// Deletes a record of ``list()`` on this device, without contacting the platform.
    ///
    /// Use this method for a record that cannot be read. Revoke the device at the platform as well.
    ///
    /// - Parameter user: An element of ``list()``. A record that does not exist is not an error.
    /// - Returns: The warnings: none, or ``Warning/Code/methodKeysLeft``.
    /// - Throws: The errors of the store; `CancellationError`.
    @discardableResult
    public func delete(_ user: Entry) async throws -> [Warning] {
        try await environment.recorded(Self.deletion, warnings: { $0 }) {
            try await environment.vault.delete(user.storeName)
            return try await environment.deleteMethodKeys(of: user.storeName).map { [$0] } ?? []
        }
    }
}

extension UserHandle {
    /// Deletes the user on this device and informs the platform where it can be reached.
    ///
    /// The platform is informed first, because that needs the keys that are deleted afterwards. The user's data and
    /// device key are then deleted here regardless of the platform's answer, and also when the record cannot be read.
    /// Canceling the task while the platform is contacted deletes nothing. If another activation replaces the device
    /// meanwhile, its data stays.
    ///
    /// - Parameter informingPlatform: Whether to contact the platform. With `false`, no network is used and the device
    ///   must be revoked at the platform.
    /// - Returns: The warnings: ``Warning/Code/platformNotInformed`` when the platform could not be informed, and
    ///   ``Warning/Code/methodKeysLeft`` when keys of an enrolled method could not be deleted. There is no warning for
    ///   a device that the platform has revoked already.
    /// - Throws: `invalidUser`; `userUnknown`; the errors of the store; `CancellationError`.
    @discardableResult
    public func delete(informingPlatform: Bool = true) async throws -> [Warning] {
        try await environment.recorded(Users.deletion, warnings: { $0 }) {
            let account = try environment.account(name)
            guard informingPlatform else {
                try await requireStored(account)
                try await environment.vault.delete(account)
                return try await environment.deleteMethodKeys(of: environment.vault.name(for: account)).map { [$0] }
                    ?? []
            }
            var (deviceID, warning) = try await informPlatform(of: account)
            if let pendingID = deviceID,
                try await environment.vault.delete(account, ofDevice: pendingID, restoringReplaced: true)
            {
                // The locked device that the activation would have replaced is also deleted.
                let locked = try await informPlatform(of: account)
                (deviceID, warning) = (locked.deviceID, warning ?? locked.warning)
            }
            if let deviceID {
                // Another activation may have replaced the device meanwhile. Its data stays.
                try await environment.vault.delete(account, ofDevice: deviceID)
            } else {
                try await environment.vault.delete(account)
            }
            let left = try await environment.deleteMethodKeys(of: environment.vault.name(for: account))
            return [warning, left].compactMap(\.self)
        }
    }

    private func requireStored(_ account: AccountName) async throws {
        let name = environment.vault.name(for: account)
        guard try await environment.vault.store.read(name) != nil else { throw OrchestrationError(.userUnknown) }
    }

    /// Sends the deletion to the platform.
    ///
    /// - Returns: The device id, if the record can be read, and a warning, if the platform was not informed.
    private func informPlatform(of account: AccountName) async throws -> (deviceID: [UInt8]?, warning: Warning?) {
        var deviceID: [UInt8]?
        do {
            guard let record = try await environment.vault.record(account) else {
                throw OrchestrationError(.userUnknown)
            }
            deviceID = record.deviceID
            if case .locked(.revoked) = record.state { return (deviceID, nil) }
            let reply = try await ChannelSession(account: account, orchestrator: orchestrator)
                .exchange({ _ in .userDelete }, allowsLocked: true)
            switch reply.result {
            case .accepted: return (deviceID, nil)
            case .refused(let refusal) where refusal.code == .revoked: return (deviceID, nil)
            case .refused(let refusal):
                let cause = refusal.error
                return (deviceID, Warning(.platformNotInformed, cause: cause))
            }
        } catch {
            guard let error = OrchestrationError.leavingTheSDK(error) as? OrchestrationError, error.code != .userUnknown
            else { throw error }
            return (deviceID, Warning(.platformNotInformed, cause: error))
        }
    }
}

extension FlowEnvironment {
    /// Deletes the keys of enrolled methods, unless another activation has replaced the user's device.
    ///
    /// The record is deleted already. The failure of a provider does not undo the deletion and is therefore a warning.
    func deleteMethodKeys(of name: StoreName) async throws -> Warning? {
        guard try await vault.store.read(name) == nil else { return nil }
        var left: Warning?
        for provider in methods {
            do {
                try await ProviderCall.run { try await provider.deleteKeys(of: name, except: nil) }
            } catch is CancellationError {
                throw CancellationError()
            } catch {
                let cause =
                    error is UserAuthenticationError
                    ? OrchestrationError(.storeUnavailable, underlying: error)
                    : OrchestrationError.leavingTheSDK(error) as? OrchestrationError
                left = left ?? Warning(.methodKeysLeft, cause: cause)
            }
        }
        return left
    }
}
