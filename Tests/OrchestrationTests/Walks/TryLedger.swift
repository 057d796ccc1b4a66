import OrchestrationProtocol
import Primitives
import Synchronization

/// The tries of an activation password, counted from the commands on the wire by the rule of the protocol: an exchange
/// spends one try when it is first answered, and step 2 returns one try, once. A request that arrives after the
/// activation has no effect on the tries. It also counts the runs of the device.
final class TryLedger: Sendable {
    private struct State {
        var code: (handle: UInt16, expiresAt: Timestamp)?
        var tries = 0
        var spent: Set<[UInt8]> = []
        var seen: Set<[UInt8]> = []
        var returned: Set<[UInt8]> = []
        var exchanges = 0
        var unconfirmed = 0
        var forgedRefusals = 0
    }

    /// The platform's limit of tries of an activation password.
    static let limit = 5

    /// The device's limit of runs that end with a wrong tag. An attacker instead of the platform gets one guess a run.
    static let unconfirmedLimit = 3

    private let account: AccountName
    private let state = Mutex(State())

    init(account: AccountName) { self.account = account }

    /// Starts with a new activation password.
    func begin(handle: UInt16, expiresAt: Timestamp) {
        state.withLock { $0 = State(code: (handle, expiresAt)) }
    }

    /// Counts a request and its answer.
    ///
    /// - Parameter isSpent: Whether an activation had ended with the activation password before the request arrived.
    func observe(_ request: OrchestrationCommand, _ answer: OrchestrationCommand, isSpent: Bool, now: Timestamp) {
        guard let request = try? Envelope(decoding: request) else { return }
        // Requests over the channel are most of all, and spend no try.
        if case .sealed = request { return }
        guard let answer = try? Envelope(decoding: answer) else { return }
        state.withLock { state in
            switch (request, answer) {
            case (.activationRequest(let request), .activationAnswer):
                guard state.seen.insert(request.sessionID).inserted else { return }
                state.exchanges += 1
                guard !isSpent, let code = state.code, request.offer.account == account.text,
                    request.offer.handle == code.handle, now < code.expiresAt, state.tries < Self.limit
                else { return }
                state.tries += 1
                state.spent.insert(request.sessionID)
            case (.activationKeyRequest(let request), .activationKeyAnswer):
                guard state.spent.contains(request.sessionID), state.returned.insert(request.sessionID).inserted else {
                    return
                }
                state.tries -= 1
            default: break
            }
        }
    }

    /// Counts a forged refusal of step 1. It ends a run like a wrong tag, but is not a guess.
    func forgeRefusal() { state.withLock { $0.forgedRefusals += 1 } }

    /// The number of forged refusals.
    var forgedRefusals: Int { state.withLock { $0.forgedRefusals } }

    /// Counts a run that ended with a wrong tag.
    func countUnconfirmed() { state.withLock { $0.unconfirmed += 1 } }

    /// The number of runs that ended with a wrong tag.
    var unconfirmed: Int { state.withLock { $0.unconfirmed } }

    /// The number of tries that are spent.
    var tries: Int { state.withLock { $0.tries } }

    /// The number of exchanges that were answered.
    var exchanges: Int { state.withLock { $0.exchanges } }
}
