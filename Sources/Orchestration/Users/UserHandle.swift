/// A user of the app on this device, with the calls for this user.
///
/// ``Orchestrator/user(_:domain:)`` returns the handle. Each verb of ``Orchestrator`` that is a stream of events is one
/// call here, which runs the flow to its end and returns its value:
///
/// ```swift
/// let alice = orchestrator.user("alice")
/// try await alice.activate(with: activationPassword)
/// let code = try await alice.oneTimePassword()
/// for try await request in alice.approvalRequests() { … }
/// ```
///
/// A call throws `OrchestrationError` or `CancellationError` and nothing else. It drops the events of the flow; to show
/// progress or warnings, iterate the stream of the orchestrator.
///
/// A handle is a name: it needs no activated user, holds no secret, and keeps the orchestrator alive.
public struct UserHandle: Sendable {
    let orchestrator: Orchestrator
    let name: UserName

    var environment: FlowEnvironment { orchestrator.environment }

    /// Whether the user's activation is finished on this device: `false` for an unknown, a pending and a locked user.
    ///
    /// The getter throws `invalidUser`, and the errors of the store and the device key.
    public var isActivated: Bool {
        get async throws { try await state == .ready }
    }

    /// The information about the user on this device.
    ///
    /// The getter throws `invalidUser`, `userUnknown`, and the errors of the store and the device key.
    public var information: UserInformation {
        get async throws {
            guard let record = try await record else { throw OrchestrationError(.userUnknown) }
            return UserInformation(record)
        }
    }

    /// The name of the user's record in the store, whether or not the record exists.
    ///
    /// The getter throws `invalidUser`.
    package var storeName: StoreName {
        get throws(OrchestrationError) { environment.vault.name(for: try environment.account(name)) }
    }

    var record: UserRecord? {
        get async throws {
            do {
                return try await environment.vault.record(environment.account(name))
            } catch {
                throw OrchestrationError.leavingTheSDK(error)
            }
        }
    }
}

extension Orchestrator {
    /// Returns the handle of a user.
    ///
    /// - Parameters:
    ///   - user: The user id, or `user@domain`. The calls of the handle throw `invalidUser` for another text.
    ///   - domain: The domain; `nil` for the one in `user`, or the default one.
    public nonisolated func user(_ user: String, domain: String? = nil) -> UserHandle {
        UserHandle(orchestrator: self, name: UserName(user, domain: domain))
    }
}

/// The user that a call names. The name is checked when the call is made.
struct UserName: FlowParameters {
    /// The user id, or `user@domain`.
    let text: String
    /// The domain; `nil` for the one in ``text``, or the default one.
    let domain: String?

    var user: UserName { self }

    init(_ text: String, domain: String?) {
        self.text = text
        self.domain = domain
    }
}
