public import Primitives

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

extension Platform {
    /// The longest time for which ``activationStatus(of:timeout:)`` waits.
    public static let longestStatusTimeout = Duration.seconds(300)

    /// Returns the progress of the latest registration of an account, and waits while it is pending if asked to.
    ///
    /// - Parameters:
    ///   - account: The account. It need not exist.
    ///   - timeout: The time to wait while the registration is pending, up to ``longestStatusTimeout``; zero returns at
    ///     once.
    /// - Returns: ``ActivationStatus/pending`` only without a wait; ``ActivationStatus/timeout`` when the wait or the
    ///   activation password ended.
    /// - Throws: ``PlatformError`` with `storeFailed`, or `busy` when too many callers wait; `CancellationError`.
    public func activationStatus(of account: AccountName, timeout: Duration) async throws -> ActivationStatus {
        let name = account.text
        let wait = max(.zero, min(Self.longestStatusTimeout, timeout)).wholeMilliseconds
        guard wait > 0 else { return try await progress(of: name).status }
        let deadline = time.now().advanced(milliseconds: wait)
        return try await watch.waiting(for: .account(name)) { changes in
            while true {
                try Task.checkCancellation()
                let progress = try await progress(of: name)
                let now = time.now()
                guard progress.status == .pending else { return progress.status }
                guard now < deadline else { return .timeout }
                let until = min(deadline, progress.changesAt ?? deadline)
                try await waitForChange(changes, milliseconds: max(1, until.milliseconds(since: now)))
            }
        }
    }

    private func progress(of name: String) async throws -> ActivationProgress {
        let now = time.now()
        return try await read { store in
            try ActivationProgress(
                account: store.account(name), activationPassword: store.activationPassword(of: name),
                devices: store.devices(of: name), now: now)
        }
    }

    /// Returns after the next change or after a time, whichever comes first.
    private func waitForChange(_ changes: AsyncStream<Void>, milliseconds: Int64) async throws {
        let time = time
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { for await _ in changes { return } }
            group.addTask { try await time.sleep(milliseconds: milliseconds) }
            defer { group.cancelAll() }
            try await group.next()
        }
    }
}

extension Duration {
    /// The duration in milliseconds, rounded down. Not for durations of more than a few years.
    fileprivate var wholeMilliseconds: Int64 {
        components.seconds * 1_000 + components.attoseconds / 1_000_000_000_000_000
    }
}
