public import Primitives

extension Platform {
    /// The longest time for which ``activationStatus(of:timeout:)`` waits.
    public static let longestStatusTimeout = Duration.seconds(300)

    /// Returns the progress of the latest registration of an account, and waits while it is pending if asked to.
    ///
    /// The wait is measured by a clock that cannot be set (`TimeSource.uptime()`).
    ///
    /// - Parameters:
    ///   - account: The account. It need not exist.
    ///   - timeout: The time to wait while the registration is pending, up to ``longestStatusTimeout``; zero returns at
    ///     once.
    /// - Returns: ``ActivationStatus/activated`` once a device of the registration has registered a notification
    ///   channel; ``ActivationStatus/pending`` only without a wait; ``ActivationStatus/timeout`` when the wait ended,
    ///   or the activation password before a device was activated, or the device before it registered a channel.
    /// - Throws: ``PlatformError`` with `storeFailed`, or `busy` when too many callers wait; `CancellationError`.
    public func activationStatus(of account: AccountName, timeout: Duration) async throws -> ActivationStatus {
        let name = account.text
        let wait = min(Self.longestStatusTimeout, timeout)
        guard wait > .zero else { return try await progress(of: name).status }
        let begin = time.uptime()
        return try await watch.waiting(for: .account(name)) { changes in
            while true {
                try Task.checkCancellation()
                let progress = try await progress(of: name)
                guard progress.status == .pending else { return progress.status }
                let left = wait - (time.uptime() - begin)
                guard left > .zero else { return .timeout }
                // The end of a registration is a date.
                let untilChange = progress.changesAt.map {
                    Duration.milliseconds(max(1, $0.milliseconds(since: time.now())))
                }
                try await changes.next(within: min(left, untilChange ?? left), on: time)
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
}
