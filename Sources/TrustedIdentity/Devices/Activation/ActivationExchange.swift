internal import Primitives

/// The rules for the two steps of the key exchange.
enum ActivationExchange {
    /// The number of tries of an activation password. The fifth wrong one makes it invalid.
    static let tries = 5
    /// The time for which the derived keys wait for request 2, in milliseconds.
    static let keysLifetime: Int64 = 120_000
    /// The time for which answers are kept for repeats after request 1, and again after request 2, in milliseconds.
    static let answerLifetime: Int64 = 10 * 60_000

    /// Returns the activation password that a request with a handle tries; `nil` when it must be answered with a decoy.
    static func livePassword(
        _ record: ActivationPasswordRecord?, handle: UInt16, now: Timestamp
    ) -> ActivationPasswordRecord? {
        guard let record, record.handle == handle, record.spentAt == nil, record.secret != nil,
            now < record.expiresAt, record.tries < tries
        else { return nil }
        return record
    }

    /// The meaning of a request for an exchange.
    enum Step: Sendable, Equatable {
        /// The same bytes came before, and get the same answer.
        case repeated(answer: [UInt8])
        /// Other bytes came before under the same session id.
        case reused
        /// No exchange is open for the request.
        case closed
        /// The request is new.
        case open
    }

    /// Returns the meaning of request 1.
    static func firstStep(_ session: ActivationSessionRecord?, requestHash: [UInt8], now: Timestamp) -> Step {
        guard let session, now < session.keptUntil else { return .open }
        return session.firstRequestHash == requestHash ? .repeated(answer: session.firstAnswer) : .reused
    }

    /// Returns the meaning of request 2.
    static func secondStep(_ session: ActivationSessionRecord?, requestHash: [UInt8], now: Timestamp) -> Step {
        guard let session, now < session.keptUntil else { return .closed }
        if let known = session.secondRequestHash {
            guard let answer = session.secondAnswer, known == requestHash else { return .reused }
            return .repeated(answer: answer)
        }
        return session.keys != nil && now < session.expiresAt ? .open : .closed
    }
}
