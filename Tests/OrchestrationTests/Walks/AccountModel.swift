import Primitives

@testable import Orchestration

/// A device of an account, as the device, the platform and the user should know it.
struct AccountModel {
    /// A verb, by what it may do on a locked device.
    enum Verb {
        case proof
        /// A locked device asks, and the platform refuses.
        case synchronize
        /// A device that is locked after wrong passwords asks, and the platform serves it.
        case unlock
    }

    /// The latest unlock code of the device.
    struct Code {
        let text: String
        let expiresAt: Timestamp
        var wrongTries = 0
        var isUsed = false

        func isKnown(at now: Timestamp) -> Bool { wrongTries < 5 && now < expiresAt }
    }

    /// What a call should throw, and the events that the device should get.
    struct Expectation {
        var error: OrchestrationError.Code?
        /// The tries in the error of an unlock code.
        var tries: Int?
        var events: [AccountEvent] = []
    }

    private static let failureLifetime: Int64 = 3 * 86_400_000

    /// The state on the device.
    var state = AccountState.notProvisioned
    /// The state at the platform. It is `notProvisioned` for no device, and `deleted` for a revoked one.
    var platform = AccountState.notProvisioned
    var id: [UInt8] = []
    var password = ""
    /// The wrong passwords in a row.
    var failures = 0
    /// The end of the time in which any of the wrong passwords counts.
    private var failuresEndAt: Timestamp?
    /// Whether the platform has yet to learn that the user has a new password.
    private(set) var isUnconfirmed = false
    var code: Code?
    private(set) var activatedAt = Timestamp(millisecondsSinceEpoch: 0)
    /// The number of notices of the account before the first one that the device may lack.
    var notices = 0

    /// Whether the platform has a device that is not revoked.
    var isKept: Bool { platform != .notProvisioned && platform != .deleted }

    /// Returns the wrong passwords that lock the device: five in a row, or fifteen less one every three days.
    func remainingTries(at now: Timestamp) -> Int {
        let counted = failuresEndAt.map { end in
            now < end ? Int((end.milliseconds(since: now) - 1) / Self.failureLifetime) + 1 : 0
        }
        return max(0, min(5 - failures, 15 - (counted ?? 0)))
    }

    /// Activates the device.
    mutating func activate(_ id: [UInt8], password: String, at now: Timestamp) {
        self = AccountModel()
        (state, platform, self.id, self.password, activatedAt) = (.ready, .ready, id, password, now)
    }

    /// Returns the refusal of a verb, which the device may learn with it; `nil` if the platform serves it.
    mutating func refusal(of verb: Verb) -> Expectation? {
        let isAsking = verb != .proof && state == .locked(.wrongPassword)
        if let error = state.error, !isAsking { return Expectation(error: error) }
        if platform == .ready || verb == .unlock && platform == .locked(.wrongPassword) { return nil }
        let events = state == platform ? [] : [platform.event].compactMap(\.self)
        state = platform
        return Expectation(error: platform.error, events: events)
    }

    /// Counts wrong passwords.
    ///
    /// - Parameters:
    ///   - arrived: The proofs that the platform got.
    ///   - answered: The answers that the device got.
    mutating func countFailures(_ arrived: Int, answered: Int, at now: Timestamp) -> [AccountEvent] {
        var events: [AccountEvent] = []
        for number in 0..<arrived {
            failures += 1
            failuresEndAt = max(failuresEndAt ?? now, now).advanced(milliseconds: Self.failureLifetime)
            let remaining = remainingTries(at: now)
            if number < answered { events.append(.triesLeft(remaining)) }
            guard remaining == 0 else { continue }
            platform = .locked(.wrongPassword)
            guard number < answered else { continue }
            state = platform
            events.append(.locked(.wrongPassword))
        }
        return events
    }

    /// Proves the right password.
    ///
    /// - Returns: The wrong passwords before it.
    mutating func prove() -> Int {
        defer {
            failures = 0
            if isUnconfirmed { (failuresEndAt, isUnconfirmed) = (nil, false) }
        }
        return failures
    }

    /// Takes a new password.
    mutating func change(to password: String, isConfirmed: Bool = true) {
        self.password = password
        isUnconfirmed = !isConfirmed
        if isConfirmed { (failures, failuresEndAt) = (0, nil) }
    }
}

extension AccountState {
    /// The error of a call in this state.
    var error: OrchestrationError.Code? {
        switch self {
        case .notProvisioned: .notActivated
        case .locked(.wrongPassword): .userLocked
        case .locked: .cloneSuspected
        case .deleted: .revoked
        default: nil
        }
    }

    /// The event of a device that learns that it is in this state.
    var event: AccountEvent? {
        switch self {
        case .locked(let reason): .locked(reason)
        case .deleted: .deleted
        default: nil
        }
    }

    var word: String {
        switch self {
        case .locked(let reason): reason.rawValue
        default: "\(self)"
        }
    }
}
