internal import Primitives

/// What request 1 finds: a live code of that account with that handle, or nothing, which is answered the same way.
struct ActivationAttempt: Sendable, Equatable {
    /// Tries of a code. The fifth wrong one burns it.
    static let tries = 5
    /// How long the derived keys wait for request 2.
    static let keysLifetime: Int64 = 120_000
    /// How long the answers are kept for repeats, after request 1 and again after request 2.
    static let answerLifetime: Int64 = 10 * 60_000
    /// The code; nil for a decoy.
    let code: ActivationPasswordRecord?

    init(_ code: ActivationPasswordRecord?, handle: UInt16, now: Timestamp) {
        guard let code, code.handle == handle, code.spentAt == nil, code.secret != nil, now < code.expiresAt,
            code.tries < Self.tries
        else {
            self.code = nil
            return
        }
        self.code = code
    }
}

/// What request 2 meets.
enum KeyExchangeStep: Sendable, Equatable {
    /// The same bytes came before: the same answer goes out.
    case repeated([UInt8])
    /// Other bytes came before.
    case reused
    /// No exchange, or none that is still open: all the same.
    case refused
    /// An exchange that waits for it.
    case open(ActivationSessionRecord)

    init(_ session: ActivationSessionRecord?, requestHash: [UInt8], now: Timestamp) {
        guard let session, now < session.keptUntil else {
            self = .refused
            return
        }
        if let known = session.secondRequestHash {
            guard let answer = session.secondAnswer, known == requestHash else {
                self = .reused
                return
            }
            self = .repeated(answer)
            return
        }
        self = session.keys != nil && now < session.expiresAt ? .open(session) : .refused
    }
}
