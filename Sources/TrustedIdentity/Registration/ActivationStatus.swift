internal import Primitives

/// The progress of the latest registration of an account. The raw values are those of the REST API.
public enum ActivationStatus: String, Sendable, Hashable, CaseIterable, Codable {
    /// The activation password is still valid, or an activation with it is in progress.
    case pending
    /// A device was activated with it.
    case activated
    /// The time to wait, or the lifetime of the activation password, ended without an activation.
    case timeout
    /// The account does not exist.
    case unknown
}

/// The status of a registration, and the time when it changes without a new event.
struct ActivationProgress: Equatable {
    let status: ActivationStatus
    /// The time when the status changes by itself; `nil` when it does not.
    let changesAt: Timestamp?

    init(
        account: AccountRecord?, activationPassword: ActivationPasswordRecord?, devices: [DeviceRecord],
        now: Timestamp
    ) {
        guard let account else {
            self.init(.unknown)
            return
        }
        if account.activatedAt != nil {
            self.init(.activated)
            return
        }
        let pendingUntil = devices.filter { $0.state == .pending && $0.registrationID == account.registrationID }
            .map(\.pendingUntil)
        let passwordUntil = activationPassword.flatMap { $0.spentAt == nil ? $0.expiresAt : nil }
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
