import Orchestration
import OrchestrationProtocol
import OrchestrationTesting
import Primitives
import Synchronization
import TrustedIdentity

/// The network between the processes of a walk and the platform.
final class WalkNetwork: Transport {
    private struct State {
        var platform: Platform?
        /// Requests that arrive later than their sender waits.
        var heldBack: [OrchestrationCommand] = []
        /// Answers that went over the wire.
        var answers: [OrchestrationCommand] = []
        /// When each request left, and the first answer to it.
        var first: [OrchestrationCommand: (answer: OrchestrationCommand?, sent: Timestamp)] = [:]
        /// Requests whose first answer was not stored. Such a refusal is sealed anew for each repeat.
        var refused: Set<OrchestrationCommand> = []
        var restoredAt: Timestamp?
        var meanwhile: Meanwhile?
        var violation: String?
    }

    /// An action while a command is under way.
    struct Meanwhile: Sendable {
        /// Before the command arrives, or before the answer does.
        let isBeforeArrival: Bool
        let act: @Sendable () async -> Void
    }

    /// The milliseconds in which a repeated request of an activation must get the same bytes: the lifetime of an
    /// exchange.
    private static let repeatability: Int64 = 100_000

    let clock: ManualTimeSource
    private let chance: Chance
    private let trace: WalkTrace
    private let tally: WalkTally
    private let ledger: TryLedger
    private let percentage: Int
    private let state = Mutex(State())
    /// Returns the step of a command, for trace and tally.
    private let stage: @Sendable (OrchestrationCommand) async -> String
    /// Returns whether an activation has ended with the activation password.
    private let isSpent: @Sendable () async -> Bool

    init(
        clock: ManualTimeSource, chance: Chance, trace: WalkTrace, tally: WalkTally, ledger: TryLedger, percentage: Int,
        stage: @escaping @Sendable (OrchestrationCommand) async -> String,
        isSpent: @escaping @Sendable () async -> Bool
    ) {
        self.clock = clock
        self.chance = chance
        self.trace = trace
        self.tally = tally
        self.ledger = ledger
        self.percentage = percentage
        self.stage = stage
        self.isSpent = isSpent
    }

    /// A violation of the protocol by the platform.
    var violation: String? { state.withLock { $0.violation } }

    /// Connects to another platform. A restored one does not have all its answers.
    func connect(_ platform: Platform, isRestored: Bool = false) {
        state.withLock { state in
            state.platform = platform
            guard isRestored else { return }
            state.first = [:]
            state.restoredAt = clock.now()
        }
    }

    /// Sets what happens while the next command is under way; `nil` for nothing.
    func meanwhile(_ meanwhile: Meanwhile?) { state.withLock { $0.meanwhile = meanwhile } }

    func send(_ command: OrchestrationCommand) async throws -> OrchestrationCommand {
        let now = clock.now()
        let meanwhile = state.withLock { state in
            if state.first[command] == nil { state.first[command] = (nil, now) }
            defer { state.meanwhile = nil }
            return state.meanwhile
        }
        if let meanwhile, meanwhile.isBeforeArrival { await meanwhile.act() }
        let answer = try await pass(command)
        if let meanwhile, !meanwhile.isBeforeArrival { await meanwhile.act() }
        return answer
    }

    private func pass(_ command: OrchestrationCommand) async throws -> OrchestrationCommand {
        guard chance.happens(percentage) else { return try await deliver(command) }
        let fault = chance.pick(WalkFault.allCases)
        let stage = await stage(command)
        trace.add("\(stage): \(fault)")
        tally.count("fault.\(stage).\(fault)")
        switch fault {
        case .requestLost: throw Lost()
        case .answerLost:
            _ = try await deliver(command)
            throw Lost()
        case .duplicated:
            _ = try? await deliver(command)
            return try await deliver(command)
        case .heldBack:
            state.withLock { $0.heldBack.append(command) }
            throw Lost()
        case .delayed:
            let answer = try await deliver(command)
            clock.advance(milliseconds: Int64(chance.draw(1...9_000)))
            return answer
        case .requestCorrupted: return try await deliver(flipped(command))
        case .answerCorrupted: return try flipped(try await deliver(command))
        case .foreignAnswer:
            let earlier = state.withLock { $0.answers }
            _ = try? await deliver(command)
            guard !earlier.isEmpty else { return Self.refusal(session: [UInt8](repeating: 7, count: 16)) }
            return chance.pick(earlier)
        case .refusalForged:
            _ = try? await deliver(command)
            if case .activationRequest? = try? Envelope(decoding: command) { ledger.forgeRefusal() }
            return Self.refusal(session: Self.session(of: command))
        case .clientCrashesBefore: throw CancellationError()
        case .clientCrashesAfter:
            _ = try? await deliver(command)
            throw CancellationError()
        }
    }

    private func deliver(_ command: OrchestrationCommand) async throws -> OrchestrationCommand {
        guard let platform = state.withLock({ $0.platform }) else { throw Lost() }
        let answer = try await execute(command, on: platform)
        let late = state.withLock { state in
            state.answers.append(answer)
            defer { state.heldBack = [] }
            return state.heldBack
        }
        for command in late {
            if chance.draw(0...1) == 0 {
                trace.add("a request that was held back arrives")
                _ = try? await execute(command, on: platform)
            } else {
                state.withLock { $0.heldBack.append(command) }
            }
        }
        return answer
    }

    /// Delivers all requests that were held back. No sender waits for the answers.
    func deliverLate() async {
        let late = state.withLock { state in
            defer { state.heldBack = [] }
            return state.heldBack
        }
        guard let platform = state.withLock({ $0.platform }) else { return }
        for command in late {
            trace.add("a request that was held back arrives")
            _ = try? await execute(command, on: platform)
        }
    }

    private func execute(_ command: OrchestrationCommand, on platform: Platform) async throws -> OrchestrationCommand {
        let isSpent = await isSpent()
        let answer = try await platform.execute(command, from: nil)
        let now = clock.now()
        ledger.observe(command, answer, isSpent: isSpent, now: now)
        state.withLock { state in
            let sent = state.first[command]?.sent ?? now
            guard !state.refused.contains(command) else { return }
            guard let first = state.first[command]?.answer else {
                if isRemembered(command, sent: sent, now: now, restoredAt: state.restoredAt) {
                    state.first[command] = (answer, sent)
                } else {
                    state.refused.insert(command)
                }
                return
            }
            if first != answer, isRemembered(command, sent: sent, now: now, restoredAt: state.restoredAt) {
                state.violation = "the platform has answered the same bytes with other bytes"
            }
        }
        return answer
    }

    /// Returns whether the platform stores its answer. It does not store the refusal of a request outside its time,
    /// which has no effect.
    private func isRemembered(
        _ command: OrchestrationCommand, sent: Timestamp, now: Timestamp, restoredAt: Timestamp?
    ) -> Bool {
        guard case .sealed(let message) = try? Envelope(decoding: command) else {
            return now.milliseconds(since: sent) < Self.repeatability
        }
        guard let header = try? ChannelRequestHeader(message.header) else { return false }
        let longest: Int64 = 5 * 60_000
        guard now < header.expiry, header.expiry <= now.advanced(milliseconds: longest) else { return false }
        return restoredAt.map { header.expiry > $0.advanced(milliseconds: longest) } ?? true
    }

    private func flipped(_ command: OrchestrationCommand) throws -> OrchestrationCommand {
        var bytes = command.bytes
        bytes[chance.draw(0...(bytes.count - 1))] ^= 1 << UInt8(chance.draw(0...7))
        return try OrchestrationCommand(bytes: bytes)
    }

    private static func session(of command: OrchestrationCommand) -> [UInt8] {
        switch try? Envelope(decoding: command) {
        case .activationRequest(let request): request.sessionID
        case .activationKeyRequest(let request): request.sessionID
        default: [UInt8](repeating: 7, count: 16)
        }
    }

    private static func refusal(session: [UInt8]) -> OrchestrationCommand {
        ActivationRefusal(sessionID: session, reason: .refused).command
    }
}

/// The loss of a request or of its answer.
struct Lost: Error {}
