import Primitives
import Synchronization
import Wire

/// Counts the tries of an activation password from what went over the wire, by the protocol's rule alone: an exchange
/// spends one when it is first answered, and step 2 gives back exactly one, once. Beside them, the runs that the device
/// allows itself.
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

    /// The platform's bound: tries of one code.
    static let limit = 5

    /// The device's bound: runs of one code that end with a wrong tag. A false platform gets one guess a run.
    static let unconfirmedLimit = 3

    private let account: AccountName
    private let state = Mutex(State())

    init(account: AccountName) { self.account = account }

    /// A new code was made: nothing is spent.
    func begin(handle: UInt16, expiresAt: Timestamp) {
        state.withLock { $0 = State(code: (handle, expiresAt)) }
    }

    /// What the platform has answered to a request.
    func observe(_ request: OrchestrationCommand, _ answer: OrchestrationCommand, now: Timestamp) {
        guard let request = try? Envelope(decoding: request), let answer = try? Envelope(decoding: answer) else {
            return
        }
        state.withLock { state in
            switch (request, answer) {
            case (.activationRequest(let request), .activationAnswer):
                guard state.seen.insert(request.sessionID).inserted else { return }
                state.exchanges += 1
                guard let code = state.code, request.offer.account == account.text, request.offer.handle == code.handle,
                    now < code.expiresAt, state.tries < Self.limit
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

    /// A refusal of the first step that nobody vouches for is on its way. It ends a run as a wrong tag does, and is no
    /// guess.
    func forgeRefusal() { state.withLock { $0.forgedRefusals += 1 } }

    /// How many refusals were forged.
    var forgedRefusals: Int { state.withLock { $0.forgedRefusals } }

    /// A run has ended with a wrong tag.
    func countUnconfirmed() { state.withLock { $0.unconfirmed += 1 } }

    /// How many runs of the code ended with a wrong tag.
    var unconfirmed: Int { state.withLock { $0.unconfirmed } }

    /// The tries that are spent now.
    var tries: Int { state.withLock { $0.tries } }

    /// Whether an exchange was ever answered.
    var exchanges: Int { state.withLock { $0.exchanges } }
}
