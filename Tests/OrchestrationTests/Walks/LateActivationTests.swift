import OrchestrationProtocol
import OrchestrationTesting
import Primitives
import Synchronization
import Testing
import TrustedIdentity

@testable import Orchestration

/// Regression tests for defects that the walks found.
@Suite struct LateActivationTests {
    @Test func `a late request 2 does not replace a newer device`() async throws {
        let scenario = try await Scenario()
        // The device gets no answer to request 2 of the first run. The network keeps the request.
        scenario.network.hold(kind: 2)
        #expect(try await scenario.activate().end.isThrown)
        scenario.world.time.advance(seconds: 5)
        // The second run stores the password and then fails.
        scenario.network.hold(kind: 3)
        #expect(try await scenario.activate().end.isThrown)
        let device = try #require(try await scenario.world.devices().first)
        scenario.network.release()
        for late in scenario.network.held { _ = try? await scenario.world.platform.execute(late) }
        #expect(try await scenario.world.devices().contains { $0.id == device.id })
        guard case .succeeded = try await scenario.activate().end else {
            Issue.record("the activation cannot be finished")
            return
        }
    }

    @Test func `an activation whose last answer was lost can be finished at any time`() async throws {
        let scenario = try await Scenario()
        scenario.network.loseAnswer(ofStep: 4)
        #expect(try await scenario.activate().end.isThrown)
        #expect(try await scenario.world.devices().map(\.state) == [.active])
        scenario.network.release()
        scenario.world.time.advance(seconds: 3_600)
        guard case .succeeded = try await scenario.activate().end else {
            Issue.record("the activation cannot be finished")
            return
        }
        #expect(try await scenario.world.devices().count == 1)
    }

    @Test func `a device key survives a write that failed after it took effect`() async throws {
        let scenario = try await Scenario()
        let process = try scenario.world.process(
            transport: scenario.network, store: FailingOnce(scenario.world.clientStore.base))
        #expect(try await FlowRun.of(process.activate(scenario.world.account.text, with: scenario.code)).end.isThrown)
        guard case .succeeded = try await scenario.activate().end else {
            Issue.record("the activation cannot be finished")
            return
        }
    }
}

extension FlowRun.End {
    fileprivate var isThrown: Bool { if case .threw = self { true } else { false } }
}

/// A walk without faults, on a network that the test controls.
private struct Scenario {
    let world: WalkWorld
    let network: ScriptedNetwork
    let code: String

    init() async throws {
        world = try WalkWorld(seed: 6_000_000, tally: WalkTally(), weakness: WalkUser.Weakness(), faults: 0, crashes: 0)
        world.chance.disableFaults()
        try await world.startFirstPlatform()
        let platform = try world.platform
        code = try await platform.register(Registration(account: world.account)).activationPassword
        network = ScriptedNetwork(platform)
    }

    func activate() async throws -> FlowRun {
        try await FlowRun.of(world.process(transport: network).activate(world.account.text, with: code))
    }
}

/// A transport that holds back one kind of command, or loses its answer.
private final class ScriptedNetwork: Transport {
    private struct State {
        /// 1, 2, or 3 for sealed commands.
        var heldKind: Int?
        /// The number of sealed answers that still arrive.
        var answersLeft: Int?
        var held: [OrchestrationCommand] = []
    }

    private let platform: Platform
    private let state = Mutex(State())

    init(_ platform: Platform) { self.platform = platform }

    var held: [OrchestrationCommand] { state.withLock { $0.held } }

    func hold(kind: Int) { state.withLock { $0.heldKind = kind } }

    func loseAnswer(ofStep step: Int) { state.withLock { $0.answersLeft = step - 3 } }

    func release() {
        state.withLock { state in
            state.heldKind = nil
            state.answersLeft = nil
        }
    }

    func send(_ command: OrchestrationCommand) async throws -> OrchestrationCommand {
        let kind =
            switch try Envelope(decoding: command) {
            case .activationRequest: 1
            case .activationKeyRequest: 2
            default: 3
            }
        let isHeld = state.withLock { state in
            guard state.heldKind == kind else { return false }
            state.held.append(command)
            return true
        }
        if isHeld { throw Lost() }
        let answer = try await platform.execute(command)
        let isLost = state.withLock { state in
            guard kind == 3, let left = state.answersLeft else { return false }
            if left > 0 { state.answersLeft = left - 1 }
            return left == 0
        }
        if isLost { throw Lost() }
        return answer
    }
}

/// A store whose first write takes effect but is reported as failed.
private final class FailingOnce: SecureStore {
    private let base: MemoryStore
    private let hasFailed = Mutex(false)

    init(_ base: MemoryStore) { self.base = base }

    func names() async throws -> [StoreName] { try await base.names() }

    func read(_ name: StoreName) async throws -> [UInt8]? { try await base.read(name) }

    func update<R: Sendable>(
        _ name: StoreName, _ body: @Sendable (_ current: [UInt8]?) throws -> (StoreChange, R)
    ) async throws -> R {
        let result = try await base.update(name, body)
        let fails = hasFailed.withLock { hasFailed in
            defer { hasFailed = true }
            return !hasFailed
        }
        if fails { throw OrchestrationError(.storeUnavailable) }
        return result
    }
}
