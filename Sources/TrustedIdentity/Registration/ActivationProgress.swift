internal import Primitives

/// How far the latest registration of an account is, and until when that can be said.
struct ActivationProgress: Equatable {
    let status: ActivationStatus
    /// When it changes by itself; nil when it does not.
    let changesAt: Timestamp?

    init(account: AccountRecord?, code: ActivationPasswordRecord?, devices: [DeviceRecord], now: Timestamp) {
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
        let codeUntil = code.flatMap { $0.spentAt == nil ? $0.expiresAt : nil }
        guard let until = (pendingUntil + (codeUntil.map { [$0] } ?? [])).max(), until > now else {
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
