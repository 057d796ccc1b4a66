import OrchestrationTesting
import Primitives
import Synchronization
import Testing
import TrustedIdentity
import Wire

@testable import Orchestration

/// What the walks found once, told step by step.
@Suite struct LateActivationTests {
    @Test func `a request 2 that was under way for long takes no newer device's place`() async throws {
        let story = try await Told()
        // The first run's request 2 is lost for the device; the network keeps it.
        story.network.hold(kind: 2)
        #expect(try await story.activate().end.isThrown)
        story.world.time.advance(seconds: 5)
        // The second run comes as far as its stored password, and is left there.
        story.network.hold(kind: 3)
        #expect(try await story.activate().end.isThrown)
        let device = try #require(try await story.world.devices().first)
        story.network.release()
        for late in story.network.held { _ = try? await story.world.platform.execute(late) }
        #expect(try await story.world.devices().contains { $0.id == device.id })
        guard case .succeeded = try await story.activate().end else {
            Issue.record("the activation cannot be finished")
            return
        }
    }

    @Test func `an activation whose last answer was lost is finished however late`() async throws {
        let story = try await Told()
        story.network.loseAnswer(ofStep: 4)
        #expect(try await story.activate().end.isThrown)
        #expect(try await story.world.devices().map(\.state) == [.pendingNotification])
        story.network.release()
        story.world.time.advance(seconds: 3_600)
        guard case .succeeded = try await story.activate().end else {
            Issue.record("the activation cannot be finished")
            return
        }
        #expect(try await story.world.devices().count == 1)
    }

    @Test func `a device key survives a write that failed after it took effect`() async throws {
        let story = try await Told()
        let process = try story.world.process(
            transport: story.network, store: FailingOnce(story.world.clientStore.base))
        #expect(try await FlowRun.of(process.activate(story.parameters)).end.isThrown)
        guard case .succeeded = try await story.activate().end else {
            Issue.record("the activation cannot be finished")
            return
        }
    }
}

extension FlowRun.End {
    fileprivate var isThrown: Bool { if case .threw = self { true } else { false } }
}

/// A calm world with a network that does what it is told.
private struct Told {
    let world: WalkWorld
    let network: ToldNetwork
    let code: String

    init() async throws {
        world = try WalkWorld(seed: 6_000_000, tally: WalkTally(), weakness: WalkUser.Weakness(), faults: 0, deaths: 0)
        world.fate.calm()
        try await world.startFirstPlatform()
        let platform = try world.platform
        code = try await platform.register(Registration(account: world.account)).activationPassword
        network = ToldNetwork(platform)
    }

    var parameters: ActivationParameters { ActivationParameters(user: world.account.text, activationPassword: code) }

    func activate() async throws -> FlowRun {
        try await FlowRun.of(world.process(transport: network).activate(parameters))
    }
}

/// Holds back, or loses the answer of, one kind of command.
private final class ToldNetwork: Transport {
    private struct State {
        /// 1, 2, or 3 for whatever is sealed.
        var heldKind: Int?
        /// How many sealed answers still arrive.
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

/// A store whose first write takes effect and fails all the same.
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
