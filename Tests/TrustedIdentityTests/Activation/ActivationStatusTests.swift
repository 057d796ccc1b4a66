import OrchestrationProtocol
import OrchestrationTesting
import Primitives
import Synchronization
import TestSupport
import Testing

@testable import TrustedIdentity

struct ActivationStatusTests {
    @Test func `a long poll goes on after the activation, and ends when the notification channel is registered`()
        async throws
    {
        let harness = try await Harness()
        let device = try await Authenticator.exchangeKeys(code: harness.register(), with: harness)
        async let status = harness.status(seconds: 60)
        await harness.time.sleepers(1)
        try await device.complete(with: harness, registersNotifications: false)
        #expect(try await harness.status() == .pending)
        await harness.time.sleepers(1)
        try await device.registerNotifications(with: harness)
        #expect(try await status == .activated)
    }

    @Test func `a long poll ends at its time while the notification channel is missing`() async throws {
        let harness = try await Harness()
        _ = try await harness.activate(registersNotifications: false)
        async let status = harness.status(seconds: 30)
        await harness.time.sleepers(1)
        harness.time.advance(milliseconds: 30_000)
        #expect(try await status == .timeout)
        // Neither the lifetime of the activation password nor that of a pending device ends the registration.
        harness.time.advance(milliseconds: 3_600_000)
        #expect(try await harness.status() == .pending)
    }

    @Test func `a further device makes the registration pending until it has registered its own channel`() async throws
    {
        let harness = try await Harness()
        try await harness.activate(registersNotifications: false).registerNotifications(with: harness)
        #expect(try await harness.status() == .activated)
        let second = try await harness.activate(registersNotifications: false)
        #expect(try await harness.status() == .pending)
        try await second.registerNotifications(with: harness)
        #expect(try await harness.status() == .activated)
    }

    @Test(arguments: [false, true])
    func `a device that ends before its notification channel does not finish the account`(isDeletion: Bool)
        async throws
    {
        let harness = try await Harness()
        let device = try await harness.activate(registersNotifications: false)
        async let poll = harness.status(seconds: 60)
        await harness.time.sleepers(1)
        if isDeletion {
            try await device.send(.userDelete, to: harness)
        } else {
            try await harness.platform.revokeDevice(device.id, of: Harness.account())
        }
        #expect(try await poll == .timeout)
        try await harness.store.write { [id = device.id] in try $0.removeDevice(id) }
        #expect(try await harness.status() == .timeout, "the row is removed after 30 days")
    }

    @Test func `an account stays finished after its device ends, and begins again with a registration`() async throws {
        let harness = try await Harness()
        let device = try await harness.activate(registersNotifications: false)
        harness.time.advance(milliseconds: 7)
        try await device.registerNotifications(with: harness)
        let finished = try await harness.store.read { try $0.account(Harness.alice) }
        #expect(finished?.finishedAt == harness.time.now())
        harness.time.advance(milliseconds: 7)
        try await device.registerNotifications(with: harness)
        #expect(try await harness.store.read { try $0.account(Harness.alice) } == finished, "written once")
        try await harness.platform.revokeDevice(device.id, of: Harness.account())
        #expect(try await harness.status() == .activated)
        try await harness.store.write { [id = device.id] in try $0.removeDevice(id) }
        #expect(try await harness.status() == .activated)
        _ = try await harness.register()
        #expect(try await harness.status() == .pending)
        harness.time.advance(milliseconds: 600_000)
        #expect(try await harness.status() == .timeout)
    }

    @Test func `a long poll ends at its time, and with the activation password`() async throws {
        let harness = try await Harness()
        _ = try await harness.register()
        async let first = harness.status(seconds: 30)
        await harness.time.sleepers(1)
        harness.time.advance(milliseconds: 30_000)
        #expect(try await first == .timeout)
        harness.time.advance(milliseconds: 500_000)
        async let second = harness.status(seconds: 300)
        await harness.time.sleepers(1)
        harness.time.advance(milliseconds: 70_000)
        #expect(try await second == .timeout)
    }

    @Test func `a poll that begins before step 2 reads the store once for each wait`() async throws {
        let harness = try await Harness()
        let code = try await harness.register()
        harness.time.advance(milliseconds: 500_000)
        let store = CountingStore(base: harness.store)
        let platform = try await harness.platform(on: store)
        let start = store.count
        async let status = platform.activationStatus(of: Harness.account(), timeout: .seconds(300))
        await harness.time.sleepers(1)
        let device = try await Authenticator.exchangeKeys(code: code, with: harness)
        // The activation password expires, and the pending device keeps the registration pending.
        harness.time.advance(milliseconds: 100_000)
        try await store.reads(start + 2)
        await harness.time.sleepers(1)
        await Settling.wait()
        #expect(store.count == start + 2)
        #expect(try await harness.device(device)?.state == .pending)
        harness.time.advance(milliseconds: 200_000)
        #expect(try await status == .timeout)
        #expect(store.count == start + 3)
    }

    @Test func `a clock that is set back or forward changes no poll`() async throws {
        let harness = try await Harness()
        _ = try await harness.register()
        let store = CountingStore(base: harness.store)
        let platform = try await harness.platform(on: store)
        let start = store.count
        async let status = platform.activationStatus(of: Harness.account(), timeout: .seconds(30))
        await harness.time.sleepers(1)
        harness.time.step(milliseconds: -3_600_000)
        harness.time.advance(milliseconds: 20_000)
        harness.time.step(milliseconds: 3_600_000)
        await Settling.wait()
        #expect(store.count == start + 1)
        harness.time.advance(milliseconds: 10_000)
        #expect(try await status == .timeout)
        #expect(store.count == start + 2)
    }

    @Test func `a poll is woken by the end of its device, by a lift and by a restore`() async throws {
        let harness = try await Harness()
        let device = try await Authenticator.exchangeKeys(code: harness.register(), with: harness)
        let changes: [@Sendable () async throws -> Void] = [
            { try await harness.platform.liftBlocks(of: Harness.account()) },
            { try await harness.platform.markRestored(revocations: .nothingRevoked) },
        ]
        for change in changes {
            let wakes = try await harness.platform.watch.waiting(for: .account(Harness.alice)) { wakes in
                try await change()
                return wakes
            }
            #expect(await wakes.reduce(0) { count, _ in count + 1 } == 1)
        }
        harness.time.advance(milliseconds: 1_800_000)
        let wakes = try await harness.platform.watch.waiting(for: .account(Harness.alice)) { wakes in
            let answer = try await device.send(.activationPassword, proof: .password, to: harness)
            #expect(answer.refusal == .pendingExpired)
            return wakes
        }
        #expect(await wakes.reduce(0) { count, _ in count + 1 } == 1)
    }

    @Test func `what is not pending is answered at once`() async throws {
        let harness = try await Harness()
        #expect(try await harness.status("nobody@master", seconds: 60) == .unknown)
        try await harness.activate(registersNotifications: false).registerNotifications(with: harness)
        #expect(try await harness.status(seconds: 60) == .activated)
    }

    @Test func `a canceled poll ends`() async throws {
        let harness = try await Harness()
        _ = try await harness.register()
        let poll = Task { try await harness.status(seconds: 60) }
        await harness.time.sleepers(1)
        poll.cancel()
        await #expect(throws: CancellationError.self) { try await poll.value }
    }
}

/// A store that counts reads.
private final class CountingStore: SQLDatabase {
    private let base: any SQLDatabase
    private let total = Mutex(0)

    init(base: any SQLDatabase) { self.base = base }

    var count: Int { total.withLock { $0 } }

    /// Waits until there were that many reads.
    func reads(_ number: Int) async throws {
        while count < number {
            try await Task.sleep(for: .milliseconds(1))
        }
    }

    func read<R: Sendable>(_ body: @escaping @Sendable (any SQLSession) throws -> R) async throws -> R {
        total.withLock { $0 += 1 }
        return try await base.read(body)
    }

    func write<R: Sendable>(_ body: @escaping @Sendable (any SQLSession) throws -> R) async throws -> R {
        try await base.write(body)
    }
}
