import OrchestrationProtocol
import OrchestrationTesting
import Primitives
import Synchronization
import TrustedIdentity

@testable import Orchestration

/// A device of an account in a walk: its store and keys, and one process with its user.
struct AccountDevice: Sendable {
    /// An event that ends a reading of the events. No platform sends it.
    private static let marker = AccountEvent.triesLeft(-1)

    let store = MemoryStore()
    let keys: CachingDeviceKeys
    let user: ChangingUser
    let handle: UserHandle
    private let events: AsyncThrowingStream<AccountEvent, any Error>

    init(_ world: WalkWorld, _ network: LossyNetwork, number: UInt64) async throws {
        keys = CachingDeviceKeys(seed: world.seed &* 8 &+ number)
        user = ChangingUser(chance: world.chance)
        let process = try world.process(transport: network, store: store, keys: keys, providers: [user])
        handle = process.user(world.account.text)
        events = handle.accountEvents()
        for try await event in events {
            try world.require(event == .loaded(.notProvisioned), "the first event is \(event)")
            break
        }
    }

    /// Returns the events since the latest call.
    func newEvents() async throws -> [AccountEvent] {
        handle.environment.vault.watch.send(Self.marker, to: try handle.storeName)
        var seen: [AccountEvent] = []
        for try await event in events {
            if event == Self.marker { break }
            seen.append(event)
        }
        return seen
    }
}

/// A network that loses some sendings of one command: the requests, or the answers.
final class LossyNetwork: Transport {
    struct Loss {
        /// The number of the command since the loss was planned, from 1.
        let command: Int
        /// The number of sendings. Three are an outage, which a flow reports.
        let sendings: Int
        let isOfAnswer: Bool
    }

    private struct State {
        var loss: Loss?
        var lost = 0
        var latest: OrchestrationCommand?
        var sent = 0
        var arrived: Set<OrchestrationCommand> = []
        var answered: Set<OrchestrationCommand> = []
    }

    private let platform: Platform
    private let state = Mutex(State())

    init(to platform: Platform) { self.platform = platform }

    /// Begins a call.
    func plan(_ loss: Loss?) { state.withLock { $0 = State(loss: loss) } }

    /// The loss of all sendings of a command, if it has happened.
    var outage: Loss? { state.withLock { $0.lost == Courier.sendings ? $0.loss : nil } }

    /// The number of commands that the platform got.
    var arrived: Int { state.withLock { $0.arrived.count } }

    /// The number of commands whose answer came.
    var answered: Int { state.withLock { $0.answered.count } }

    func send(_ command: OrchestrationCommand) async throws -> OrchestrationCommand {
        let loss = state.withLock { state -> Loss? in
            if command != state.latest { (state.latest, state.sent) = (command, state.sent + 1) }
            guard let loss = state.loss, state.sent == loss.command, state.lost < loss.sendings else { return nil }
            state.lost += 1
            return loss
        }
        if let loss, !loss.isOfAnswer { throw Lost() }
        let answer = try await platform.execute(command, from: nil)
        state.withLock { state in
            state.arrived.insert(command)
            if loss == nil { state.answered.insert(command) }
        }
        if loss != nil { throw Lost() }
        return answer
    }
}
