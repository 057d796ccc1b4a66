internal import OrchestrationProtocol
public import Primitives

/// A change of an account on this device.
///
/// Later versions may add cases. A `switch` needs an `@unknown default`.
@nonexhaustive
public enum AccountEvent: Sendable, Hashable {
    /// The current state: the first event of a stream, and again when an activation was started, finished or dropped.
    case loaded(AccountState)

    /// The platform has refused a wrong password of this process, and accepts this number of further wrong passwords
    /// before it locks the device.
    case triesLeft(Int)

    /// The device is locked.
    case locked(LockReason)

    /// The device is no longer locked.
    case unlocked

    /// The platform has revoked the device, or an activated user was deleted on this device.
    case deleted

    /// The policy for a new password, the capabilities or the crypto applications have changed.
    case settingsChanged

    /// The password was changed: by this process, by another one, or by an unlock. Offer to renew the biometric key.
    case passwordChanged

    /// A device of the account was activated, revoked or locked.
    case noticed(AccountNotice)
}

extension UserHandle {
    /// Returns the changes of the account on this device, as this process detects them.
    ///
    /// The first event is ``AccountEvent/loaded(_:)``. An event follows the write that it reports. Changes by other
    /// processes are detected at the next write of this process, and changes at the platform with its next sealed
    /// answer. No change is reported twice. The stream keeps the newest 32 events that were not taken.
    ///
    /// - Returns: The events, for one consumer. The stream ends when the orchestrator is released, which the stream
    ///   does not keep alive, and when the task of the consumer is canceled. It throws `invalidUser`, and the errors of
    ///   the store and the device key when the current state cannot be read.
    public func accountEvents() -> AsyncThrowingStream<AccountEvent, any Error> {
        do throws(OrchestrationError) {
            return environment.vault.watch.events(of: try storeName, in: environment.vault)
        } catch {
            return AsyncThrowingStream { throw error }
        }
    }
}

/// The values of a record whose changes are events.
struct AccountSnapshot: Sendable, Equatable {
    private struct Settings: Sendable, Equatable {
        let policy: PINPolicy
        let capabilities: [UInt64]
        let applications: [CryptoApplication]
    }

    let state: AccountState
    /// `nil` without a record.
    private let deviceID: [UInt8]?
    private let generation: UInt64?
    private let settings: Settings?
    private let notices: [AccountNoticeForm]

    init(_ record: UserRecord?) {
        state = AccountState(record)
        deviceID = record?.deviceID
        generation = record?.generation
        notices = record?.notices ?? []
        settings = record.map {
            Settings(
                policy: $0.nextPINPolicy ?? $0.pinPolicy, capabilities: $0.capabilities, applications: $0.applications)
        }
    }

    /// Returns the events since another state of the account.
    func events(since before: AccountSnapshot) -> [AccountEvent] {
        guard deviceID == before.deviceID else {
            if deviceID != nil { return [.loaded(state)] }
            switch before.state {
            case .deleted: return []
            // The activation was dropped.
            case .pending: return [.loaded(state)]
            case .notProvisioned, .ready, .locked: return [.deleted]
            }
        }
        var events: [AccountEvent] = []
        if settings != before.settings { events.append(.settingsChanged) }
        if generation != before.generation { events.append(.passwordChanged) }
        let last = before.notices.last?.number ?? 0
        events += notices.filter { $0.number > last }.compactMap(AccountNotice.init).map(AccountEvent.noticed)
        guard state != before.state else { return events }
        switch (before.state, state) {
        case (_, .locked(let reason)): events.append(.locked(reason))
        case (_, .deleted): events.append(.deleted)
        case (.locked, .ready): events.append(.unlocked)
        case (_, .notProvisioned), (_, .pending), (_, .ready): events.append(.loaded(state))
        }
        return events
    }
}
