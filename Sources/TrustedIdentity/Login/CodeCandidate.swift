internal import Crypto
internal import OneTimePassword
internal import Primitives

/// One key that may have made a typed code: of a device, an instance and a ratchet index.
struct CodeCandidate: Sendable {
    /// Where the code may come from; nil for a decoy, which keeps the work the same and never counts.
    struct Origin: Sendable, Equatable {
        let device: [UInt8]
        let instance: Instance
        let index: UInt64
        let isRestored: Bool
    }

    let origin: Origin?
    let key: SymmetricKey
    let counter: CodeCounterRecord
    /// Whether the counter has a row: none does until the first code is accepted.
    let isStored: Bool
}

/// A typed code found among the candidates.
struct CodeMatch: Sendable, Equatable {
    let origin: CodeCandidate.Origin
    /// The counter or time step of the code.
    let value: UInt64
    /// Whether it was accepted before, or one after it was.
    let isUsed: Bool
    /// The counter's row as it was read, nil when there was none, and as it is once the code is accepted.
    let before: CodeCounterRecord?
    let after: CodeCounterRecord
}

/// Looks for typed codes under many keys, in a time that depends on their number only.
struct CodeSearch {
    let candidates: [CodeCandidate]
    let use: CryptoApplications.Use
    let now: Timestamp

    /// Looks for one code. Every candidate is computed whatever the others gave; a code that was not used before is
    /// preferred.
    func find(_ code: String) throws -> CodeMatch? {
        try search { candidate in
            switch use {
            case .time, .other, .none:
                // What no login takes is computed like the default, so that it takes as long.
                return try Self.match(code, candidate, now: now)
            case .counter:
                let hotp = try HOTP(key: OneTimePasswordKey(candidate.key), digits: CryptoApplications.digits)
                // Some before the lowest, to tell codes that were used, or overtaken, from a guess. The number looked at
                // is always the same, so that the time tells nothing of the counter.
                let next = candidate.counter.next
                let start = next - min(next, UInt64(CryptoApplications.lookBack))
                let found = hotp.verify(
                    code, from: start, lookAhead: CryptoApplications.lookBack + CryptoApplications.lookAhead)
                guard let found, found <= next + UInt64(CryptoApplications.lookAhead) else { return nil }
                return (found, 0)
            }
        }
    }

    /// Looks for two successive codes, in a wider window.
    func find(_ codes: (String, String)) throws -> CodeMatch? {
        try search { candidate in
            switch use {
            case .time, .other, .none:
                let totp = try Self.totp(candidate.key)
                let window = TOTP.Window(
                    tolerance: CryptoApplications.tolerance,
                    after: candidate.counter.next > 0 ? candidate.counter.next - 1 : nil)
                return totp.resynchronize(codes.0, codes.1, at: now, window: window).map { ($0.step, $0.drift) }
            case .counter:
                let hotp = try HOTP(key: OneTimePasswordKey(candidate.key), digits: CryptoApplications.digits)
                return hotp.resynchronize(
                    codes.0, codes.1, from: candidate.counter.next,
                    lookAhead: CryptoApplications.resynchronization
                ).map { ($0, 0) }
            }
        }
    }

    private func search(_ verify: (CodeCandidate) throws -> (value: UInt64, drift: Int)?) rethrows -> CodeMatch? {
        var fresh: CodeMatch?
        var used: CodeMatch?
        for candidate in candidates {
            guard let found = try verify(candidate), let origin = candidate.origin else { continue }
            var after = candidate.counter
            // Counters are kept below 2^63, and the last of them is no good: there is none to go on to.
            let last = UInt64(Int64.max)
            after.next = min(found.value, last - 1) + 1
            after.drift = found.drift
            let isUsed = found.value < candidate.counter.next || found.value >= last
            let match = CodeMatch(
                origin: origin, value: found.value, isUsed: isUsed,
                before: candidate.isStored ? candidate.counter : nil, after: after)
            if isUsed { used = used ?? match } else { fresh = fresh ?? match }
        }
        return fresh ?? used
    }

    /// Looks around the present step and around the one that the learned drift expects: a code that was typed slowly
    /// teaches a drift that is none, and must not shut out the next one. The number of codes that are computed is
    /// always the same.
    private static func match(
        _ code: String, _ candidate: CodeCandidate, now: Timestamp
    ) throws -> (value: UInt64, drift: Int)? {
        let totp = try totp(candidate.key)
        let drift = candidate.counter.drift
        let window = TOTP.Window(tolerance: CryptoApplications.tolerance + 1, drift: drift - drift.signum())
        guard let match = totp.verify(code, at: now, window: window) else { return nil }
        let offset = Int(clamping: match.step) - Int(clamping: totp.step(at: now))
        let tolerance = CryptoApplications.tolerance
        guard abs(offset) <= tolerance || abs(offset - drift) <= tolerance else { return nil }
        return (match.step, match.drift)
    }

    private static func totp(_ key: SymmetricKey) throws -> TOTP {
        try TOTP(
            key: OneTimePasswordKey(key), digits: CryptoApplications.digits, timeStep: CryptoApplications.period)
    }
}
