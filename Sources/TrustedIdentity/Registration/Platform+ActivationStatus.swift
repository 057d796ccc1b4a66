public import Primitives

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
                try await changes.next(
                    within: .milliseconds(max(1, until.milliseconds(since: now))), on: time)
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

extension Duration {
    /// The duration in milliseconds, rounded down. Not for durations of more than a few years.
    fileprivate var wholeMilliseconds: Int64 {
        components.seconds * 1_000 + components.attoseconds / 1_000_000_000_000_000
    }
}
