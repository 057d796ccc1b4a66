public import Primitives

/// The users of this app on this device (requirements O1 to O4).
///
/// Users share nothing: each activation has its own keys, its own password and its own file. Every method may be
/// called from any task. They throw `OrchestrationError` or `CancellationError`.
public struct Users: Sendable {
    let orchestrator: Orchestrator

    private var environment: FlowEnvironment { orchestrator.environment }

    /// Everybody in the store, also those whose activation was not finished, sorted by name.
    ///
    /// - Throws: the errors of the store. A user whose data cannot be opened is left out; see ``information(_:domain:)``.
    public func list() async throws -> [AccountName] {
        try await bordered { try await environment.vault.accounts().sorted { $0.text < $1.text } }
    }

    /// Whether a user's activation was finished on this device.
    ///
    /// - Parameters:
    ///   - user: the user id, or `user@domain`.
    ///   - domain: the domain, where it is not the default.
    /// - Returns: false for an unknown, a pending and a locked user.
    /// - Throws: `invalidUser`, the errors of the store and the device key.
    public func isActivated(_ user: String, domain: String? = nil) async throws -> Bool {
        try await bordered {
            let account = try environment.account(user: user, domain: domain)
            return try await environment.vault.record(account)?.state == .active
        }
    }

    /// What this device knows of a user.
    ///
    /// - Parameters:
    ///   - user: the user id, or `user@domain`.
    ///   - domain: the domain, where it is not the default.
    /// - Throws: `invalidUser`, `userUnknown`, the errors of the store and the device key.
    public func information(_ user: String, domain: String? = nil) async throws -> UserInformation {
        try await bordered {
            let account = try environment.account(user: user, domain: domain)
            guard let record = try await environment.vault.record(account) else {
                throw OrchestrationError(.userUnknown)
            }
            return UserInformation(record)
        }
    }

    /// Deletes a user on this device, and tells the platform if it can be reached (X11).
    ///
    /// The platform is told first, since that takes the keys that are deleted afterwards. Whatever comes of it, the
    /// user's data and device key are deleted here, damaged data too. Canceling before that deletes nothing.
    ///
    /// - Parameters:
    ///   - user: the user id, or `user@domain`.
    ///   - domain: the domain, where it is not the default.
    /// - Returns: nothing to say, or ``Warning/Code/platformNotInformed``: the device must be revoked at the platform.
    /// - Throws: `invalidUser`, `userUnknown`, the errors of the store, `CancellationError`.
    @discardableResult
    public func delete(_ user: String, domain: String? = nil) async throws -> [Warning] {
        try await bordered {
            let account = try environment.account(user: user, domain: domain)
            let warning = try await tellPlatform(of: account)
            try await environment.vault.delete(account)
            return warning.map { [$0] } ?? []
        }
    }

    private func tellPlatform(of account: AccountName) async throws -> Warning? {
        do {
            guard try await environment.vault.record(account) != nil else { throw OrchestrationError(.userUnknown) }
            let reply = try await ChannelSession(account: account, orchestrator: orchestrator)
                .exchange { _ in .userDelete }
            switch reply.result {
            case .accepted: return nil
            case .refused(let refusal):
                return Warning(.platformNotInformed, cause: OrchestrationError(aborted: refusal.cause))
            }
        } catch let error as OrchestrationError where error.code != .userUnknown {
            return Warning(.platformNotInformed, cause: error)
        }
    }

    private func bordered<R: Sendable>(_ body: () async throws -> R) async throws -> R {
        do { return try await body() } catch { throw OrchestrationError.leavingTheSDK(error) }
    }
}
