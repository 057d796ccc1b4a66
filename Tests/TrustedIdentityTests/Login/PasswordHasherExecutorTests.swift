import Dispatch
import Primitives
import Synchronization
import Testing

@testable import TrustedIdentity

/// The executor of a caller, which may be the thread of many connections.
@Suite struct PasswordHasherExecutorTests {
    /// An executor that runs its first job, and holds the later ones until it is released.
    private final class HoldingExecutor: TaskExecutor {
        private struct State {
            var hasBegun = false
            var isReleased = false
            var held: [UnownedJob] = []
        }

        private let state = Mutex(State())
        private let queue = DispatchQueue(label: "HoldingExecutor")

        func enqueue(_ job: consuming ExecutorJob) {
            let job = UnownedJob(job)
            let runs = state.withLock { state in
                defer { state.hasBegun = true }
                guard state.hasBegun, !state.isReleased else { return true }
                state.held.append(job)
                return false
            }
            if runs { run(job) }
        }

        func release() {
            let held = state.withLock { state in
                defer { state.held = [] }
                state.isReleased = true
                return state.held
            }
            for job in held { run(job) }
        }

        private func run(_ job: UnownedJob) {
            queue.async { unsafe job.runSynchronously(on: self.asUnownedTaskExecutor()) }
        }
    }

    @Test func `a password is hashed while the executor of its caller does nothing`() async throws {
        let (hasher, executor) = (PasswordHasher(cost: .testing), HoldingExecutor())
        let hashing = Task(executorPreference: executor) {
            _ = try await hasher.verifier(
                of: SecretBox("correct horse"), salt: [UInt8](repeating: 7, count: 16), account: "alice")
        }
        var computed = 0
        for _ in 0..<10_000 where computed == 0 {
            try await Task.sleep(for: .milliseconds(1))
            computed = await hasher.computed
        }
        #expect(computed == 1)
        executor.release()
        try await hashing.value
    }
}
