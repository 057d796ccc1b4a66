internal import Primitives

/// The progress of an account's latest registration. The raw values are the words of the REST API.
public enum ActivationStatus: String, Sendable, Hashable, CaseIterable, Codable {
    /// The activation password is still valid, an activation with it is in progress, or the device that was activated
    /// with it has not registered a notification channel yet.
    case pending
    /// The registration is finished: a device was activated and has registered a notification channel. The pull channel
    /// counts. The status stays when the device is deleted or revoked later.
    case activated
    /// The time to wait, or the lifetime of the activation password, ended without an activation; or the device that
    /// was activated was deleted or revoked before it registered a notification channel; or a device of the account
    /// began a move before an activation.
    case timeout
    /// The account does not exist.
    case unknown
}

/// The status of a registration, and the time when it changes without a new event.
struct ActivationProgress: Equatable {
    let status: ActivationStatus
    /// The time when the status changes automatically; `nil` when it does not.
    let changesAt: Timestamp?

    init(
        account: AccountRecord?, activationPassword: ActivationPasswordRecord?, devices: [DeviceRecord],
        now: Timestamp
    ) {
        guard let account else {
            self.init(.unknown)
            return
        }
        let registered = devices.filter { $0.registrationID == account.registrationID }
        if account.finishedAt != nil {
            self.init(.activated)
            return
        }
        if registered.contains(where: \.awaitsNotificationChannel) {
            self.init(.pending)
            return
        }
        let pendingUntil = registered.filter { $0.state == .pending }.map(\.pendingUntil)
        // A move has replaced the activation password of the registration, and is not part of it.
        let isRegistered = activationPassword?.registrationID == account.registrationID
        let passwordUntil = activationPassword.flatMap { isRegistered && $0.spentAt == nil ? $0.expiresAt : nil }
        guard let until = (pendingUntil + (passwordUntil.map { [$0] } ?? [])).max(), until > now else {
            self.init(.timeout)
            return
        }
        self.init(.pending, changesAt: until)
    }

    private init(_ status: ActivationStatus, changesAt: Timestamp? = nil) {
        self.status = status
        self.changesAt = changesAt
    }
}
