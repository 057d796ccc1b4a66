public import Orchestration
public import OrchestrationProtocol
internal import Synchronization

/// A transport that loses, repeats, delays and changes commands and answers, as networks and attackers do.
///
/// A ``FaultPlan`` supplies the faults. A loss is an `OrchestrationError` of the code `transport`, thrown at once.
/// Nothing waits: a delay moves the test's clock.
public final class FaultInjectingTransport: Transport {
    private let base: any Transport
    private let clock: ManualTimeSource?
    private let state: Mutex<State>

    private struct State {
        var plan: FaultPlan
        /// Requests that are held back until a later one arrives.
        var late: [OrchestrationCommand] = []
        /// Previous answers, for the fault that exchanges them.
        var answers: [OrchestrationCommand] = []
        var log: [Fault] = []
    }

    /// Creates a transport with faults in front of another one.
    ///
    /// - Parameters:
    ///   - base: The transport that delivers.
    ///   - plan: The faults.
    ///   - clock: The clock that ``Fault/delay(milliseconds:)`` moves. Without a clock, a delay is not a fault.
    public init(_ base: any Transport, plan: FaultPlan, clock: ManualTimeSource? = nil) {
        self.base = base
        self.clock = clock
        state = Mutex(State(plan: plan))
    }

    /// The faults so far, one for each call of ``send(_:)``.
    public var log: [Fault] {
        state.withLock { $0.log }
    }

    /// Replaces the plan, for example with a plan without faults to let a test end.
    public func follow(_ plan: FaultPlan) {
        state.withLock { $0.plan = plan }
    }

    /// Sends a command with the next fault of the plan.
    public func send(_ command: OrchestrationCommand) async throws -> OrchestrationCommand {
        let fault = state.withLock { state in
            let fault = state.plan.next()
            state.log.append(fault)
            return fault
        }
        switch fault {
        case .noFault:
            return try await deliver(command)
        case .loseRequest:
            throw OrchestrationError(.transport)
        case .loseAnswer:
            _ = try await deliver(command)
            throw OrchestrationError(.transport)
        case .duplicate:
            _ = try await deliver(command)
            return try await deliver(command)
        case .deliverLate:
            state.withLock { $0.late.append(command) }
            throw OrchestrationError(.transport)
        case .delay(let milliseconds):
            let answer = try await deliver(command)
            clock?.advance(milliseconds: milliseconds)
            return answer
        case .corruptRequest(let bit):
            return try await deliver(command.flipping(bit))
        case .corruptAnswer(let bit):
            return try await deliver(command).flipping(bit)
        case .foreignAnswer:
            let foreign = state.withLock { $0.answers.last }
            _ = try await deliver(command)
            guard let foreign else { throw OrchestrationError(.transport) }
            return foreign
        }
    }

    /// Delivers a command, and then the commands that were held back. Their answers are dropped.
    private func deliver(_ command: OrchestrationCommand) async throws -> OrchestrationCommand {
        let answer = try await base.send(command)
        let late = state.withLock { state in
            state.answers.append(answer)
            if state.answers.count > 16 { state.answers.removeFirst() }
            defer { state.late = [] }
            return state.late
        }
        for command in late { _ = try? await base.send(command) }
        return answer
    }
}

extension OrchestrationCommand {
    /// Returns the command with one bit flipped. The number wraps around at the end.
    fileprivate func flipping(_ bit: Int) throws -> OrchestrationCommand {
        var bytes = bytes
        guard !bytes.isEmpty else { return self }
        let place = Int(UInt(bitPattern: bit) % UInt(bytes.count * 8))
        bytes[place / 8] ^= 1 << (place % 8)
        return try OrchestrationCommand(bytes: bytes)
    }
}
