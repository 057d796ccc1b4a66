public import Primitives

extension Platform {
    /// How far the latest registration of an account is; on request, once it is no longer pending.
    ///
    /// - Parameters:
    ///   - account: the account; it need not exist.
    ///   - timeout: how long to wait while it is pending, up to 300 s; zero to ask only.
    /// - Returns: `pending` only when not waiting; `timeout` when the wait or the activation password ended.
    /// - Throws: ``PlatformError`` with `storeFailed`, or `busy` when too many wait; `CancellationError`.
    public func activationStatus(of account: AccountName, timeout: Duration) async throws -> ActivationStatus {
        let name = account.text
        let seconds = min(300, max(0, timeout.components.seconds))
        let wait = seconds * 1_000 + (seconds == 300 ? 0 : timeout.components.attoseconds / 1_000_000_000_000_000)
        guard wait > 0 else { return try await progress(of: name).status }
        let deadline = time.now().advanced(milliseconds: wait)
        guard let (id, changes) = watch.start(name) else { throw PlatformError(.busy) }
        defer { watch.stop(id, of: name) }
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

    private func progress(of name: String) async throws -> ActivationProgress {
        let now = time.now()
        return try await deciding {
            try await store.read { store in
                try ActivationProgress(
                    account: store.account(name), code: store.activationPassword(of: name),
                    devices: store.devices(of: name), now: now)
            }
        }
    }

    /// Returns after the next change or after that time, whichever comes first.
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
