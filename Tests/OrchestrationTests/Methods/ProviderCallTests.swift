import OrchestrationTesting
import Synchronization
import Testing

@testable import Orchestration

/// Calls of providers that hang, throw, or return when nothing waits for them.
@Suite struct ProviderCallTests {
    private struct Broken: Error {}

    /// A call that returns when a test says so, and ignores cancellation.
    private final class SlowProvider: Sendable {
        private struct State {
            var continuation: CheckedContinuation<Void, Never>?
            var isOpen = false
        }

        private let state = Mutex(State())
        private let returned = Mutex(0)

        /// The number of calls that have returned.
        var returns: Int { returned.withLock { $0 } }
        var isEntered: Bool { state.withLock { $0.continuation != nil } }

        func pass() async -> Int {
            await withCheckedContinuation { continuation in state.withLock { $0.continuation = continuation } }
            returned.withLock { $0 += 1 }
            return 1
        }

        func open() { state.withLock { $0.continuation.take() }?.resume() }
    }

    @Test func `a result and an error are those of the provider`() async throws {
        let result = try await ProviderCall.run { 3 }
        #expect(result == 3)
        await #expect(throws: Broken.self) { try await ProviderCall.run { throw Broken() } }
        let limited = try await ProviderCall.run(within: .seconds(1), on: ManualTimeSource()) { 4 }
        #expect(limited == 4)
        await #expect(throws: Broken.self) {
            try await ProviderCall.run(within: .seconds(1), on: ManualTimeSource()) { throw Broken() }
        }
    }

    @Test func `a call that is canceled ends at once, and what the provider returns later has no effect`() async throws
    {
        let provider = SlowProvider()
        let call = Task { try await ProviderCall.run { await provider.pass() } }
        while !provider.isEntered { try await Task.sleep(for: .milliseconds(1)) }
        call.cancel()
        await #expect(throws: CancellationError.self) { try await call.value }
        #expect(provider.returns == 0)
        provider.open()
        while provider.returns == 0 { try await Task.sleep(for: .milliseconds(1)) }
        await #expect(throws: CancellationError.self) { try await call.value }
    }

    @Test func `a call of a canceled task does not reach the provider`() async throws {
        let isCalled = Mutex(false)
        let call = Task {
            unsafe withUnsafeCurrentTask { unsafe $0?.cancel() }
            try await ProviderCall.run { isCalled.withLock { $0 = true } }
        }
        await #expect(throws: CancellationError.self) { try await call.value }
        #expect(!isCalled.withLock { $0 })
    }

    @Test func `a call that takes too long has no result, and what the provider returns later has no effect`()
        async throws
    {
        let (provider, time) = (SlowProvider(), ManualTimeSource())
        let call = Task { try await ProviderCall.run(within: .seconds(5), on: time) { await provider.pass() } }
        while !provider.isEntered { try await Task.sleep(for: .milliseconds(1)) }
        await time.sleepers(1)
        time.advance(seconds: 5)
        let result = try await call.value
        #expect(result == nil && provider.returns == 0)
        provider.open()
        while provider.returns == 0 { try await Task.sleep(for: .milliseconds(1)) }
    }
}
