internal import Synchronization

/// The streams of account events of one orchestrator.
///
/// Each event is a difference between two states of the record, as they were read one after another. Therefore no
/// change is reported twice, regardless of the flow or process that made it.
final class AccountWatch: Sendable {
    /// The number of events that a stream keeps for its consumer.
    private static let capacity = 32

    private typealias Continuation = AsyncThrowingStream<AccountEvent, any Error>.Continuation

    private struct Stream {
        let continuation: Continuation
        /// Whether the stream has its first event.
        var isLoaded = false
    }

    private struct Account {
        var streams: [UInt64: Stream] = [:]
        /// The latest state that was read.
        var known: AccountSnapshot?
        var isReading = false
        /// Whether the record may have changed since the current reading began.
        var isOutdated = false
    }

    private struct State {
        var accounts: [StoreName: Account] = [:]
        var lastNumber: UInt64 = 0
    }

    private let state = Mutex(State())

    deinit {
        let streams = state.withLock { $0.accounts.values.flatMap(\.streams.values) }
        for stream in streams { stream.continuation.finish() }
    }

    /// Returns the events of an account, beginning with its current state.
    func events(of name: StoreName, in vault: Vault) -> AsyncThrowingStream<AccountEvent, any Error> {
        let (events, continuation) = AsyncThrowingStream.makeStream(
            of: AccountEvent.self, throwing: (any Error).self, bufferingPolicy: .bufferingNewest(Self.capacity))
        let number = state.withLock { state in
            state.lastNumber += 1
            state.accounts[name, default: Account()].streams[state.lastNumber] = Stream(continuation: continuation)
            return state.lastNumber
        }
        continuation.onTermination = { [weak self] _ in self?.remove(number, of: name) }
        Task { await self.read(name, in: vault) }
        return events
    }

    /// Sends an event that is not in a record.
    func send(_ event: AccountEvent, to name: StoreName) {
        state.withLock { state in
            for stream in state.accounts[name]?.streams.values.filter(\.isLoaded) ?? [] {
                stream.continuation.yield(event)
            }
        }
    }

    /// Reads a record that may have changed, and sends the changes. Without a stream of the account nothing is read.
    func read(_ name: StoreName, in vault: Vault) async {
        let isReader = state.withLock { state in
            guard var account = state.accounts[name] else { return false }
            let isReader = !account.isReading
            (account.isReading, account.isOutdated) = (true, !isReader)
            state.accounts[name] = account
            return isReader
        }
        // Only one reader runs at a time, because two readers could end in the other order.
        guard isReader else { return }
        // A separate task is used, because the flow may be canceled although its write has happened.
        await Task {
            var isOutdated = true
            while isOutdated {
                do {
                    isOutdated = take(AccountSnapshot(try await vault.record(named: name)), of: name)
                } catch {
                    isOutdated = fail(error, name)
                }
            }
        }.value
    }

    /// Takes a state that was read.
    ///
    /// - Returns: Whether to read again.
    private func take(_ snapshot: AccountSnapshot, of name: StoreName) -> Bool {
        state.withLock { state in
            guard var account = state.accounts[name] else { return false }
            let events = account.known.map(snapshot.events(since:)) ?? []
            account.known = snapshot
            for (number, stream) in account.streams {
                for event in stream.isLoaded ? events : [.loaded(snapshot.state)] { stream.continuation.yield(event) }
                account.streams[number]?.isLoaded = true
            }
            return Self.endReading(&account, name, &state)
        }
    }

    /// Ends the streams that wait for their first event. The other streams get the change with a later reading.
    ///
    /// - Returns: Whether to read again.
    private func fail(_ error: any Error, _ name: StoreName) -> Bool {
        let (failed, isOutdated) = state.withLock { state -> ([Stream], Bool) in
            guard var account = state.accounts[name] else { return ([], false) }
            let failed = account.streams.filter { !$0.value.isLoaded }
            for number in failed.keys { account.streams[number] = nil }
            return (Array(failed.values), Self.endReading(&account, name, &state))
        }
        for stream in failed { stream.continuation.finish(throwing: OrchestrationError.leavingTheSDK(error)) }
        return isOutdated
    }

    private static func endReading(_ account: inout Account, _ name: StoreName, _ state: inout State) -> Bool {
        let isOutdated = account.isOutdated
        (account.isReading, account.isOutdated) = (isOutdated, false)
        state.accounts[name] = account.streams.isEmpty ? nil : account
        return isOutdated && !account.streams.isEmpty
    }

    private func remove(_ number: UInt64, of name: StoreName) {
        state.withLock { state in
            guard var account = state.accounts[name] else { return }
            account.streams[number] = nil
            // A running reading removes the account when it ends, because a new stream must not begin a second reading
            // next to it.
            state.accounts[name] = account.streams.isEmpty && !account.isReading ? nil : account
        }
    }
}
