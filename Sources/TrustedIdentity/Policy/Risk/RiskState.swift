public import Primitives

/// The account history that policies use: the times of pushes and rejections, the payments by possession, the creditors
/// that the user has paid, and the browsers in which the user has approved.
///
/// A value is small and bounded, so a store keeps it as bytes. A change is a pure function of the event, the time and
/// the policy. The caller writes the new value with compare-and-set.
public struct RiskState: Sendable, Hashable {
    /// The maximum number of times of pushes that are kept. It bounds ``PushLimits/daily``.
    public static let maximumPushes = 100
    /// The maximum number of times of rejections that are kept. It bounds ``StrictMode/rejections``.
    public static let maximumRejections = 16
    /// The longest time of the step-up.
    static let stepUpDuration = Duration.seconds(3_600)
    /// The maximum number of creditors that are kept. The one that was paid least recently is removed first, and is new
    /// again.
    public static let maximumCreditors = 50
    /// The maximum number of browsers that are kept. The one that was used least recently is removed first, and is new
    /// again.
    public static let maximumBrowsers = 20

    /// The payments that the user approved by possession since the last strong approval.
    public struct SmallPayments: Sendable, Hashable {
        /// The maximum number of currencies whose sums are kept.
        static let maximumCurrencies = 8

        /// The number of payments.
        public internal(set) var count = 0
        /// The sum of each currency, in alphabetical order.
        var sums: [MonetaryAmount] = []

        /// Creates the value without payments.
        public init() {}

        /// Returns the sum of the payments in a currency, in its smallest unit.
        public func sum(in currency: Currency) -> UInt64 {
            for sum in sums where sum.currency == currency { return sum.minorUnits }
            return 0
        }

        mutating func add(_ amount: MonetaryAmount?) {
            count = min(count + 1, Int(Int32.max))
            guard let amount else { return }
            if let place = sums.firstIndex(where: { $0.currency == amount.currency }) {
                let (sum, isOverflow) = sums[place].minorUnits.addingReportingOverflow(amount.minorUnits)
                sums[place] = MonetaryAmount(minorUnits: isOverflow ? .max : sum, currency: amount.currency)
            } else if sums.count < Self.maximumCurrencies {
                sums.append(amount)
                sums.sort { $0.currency.code < $1.currency.code }
            } else {
                // A payment that cannot be added up ends the exemption until the next strong approval.
                count = Int(Int32.max)
            }
        }
    }

    /// An event that changes the state.
    public enum Event: Sendable, Hashable {
        /// An approval request was announced to the devices.
        case pushed
        /// The user approved with another method than possession. The creditor of the transaction and the browser of
        /// the request are known from now on: keyed hashes of 16 bytes.
        case approvedStrongly(creditor: [UInt8]?, browser: [UInt8]? = nil)
        /// The user approved a transaction by possession.
        case paidByPossession(MonetaryAmount?)
        /// The user rejected a request. A proven rejection used another method than possession.
        case rejected(RejectionReason, isProven: Bool = true)
        /// The user typed a wrong number. It counts as a rejection that is not proven: a user types one for a
        /// stranger's request, whose number only the stranger sees.
        case wrongNumber
    }

    /// The times of the latest pushes, the oldest first.
    public internal(set) var pushes: [Timestamp] = []
    /// The times of the latest rejections and wrong numbers, the oldest first.
    public internal(set) var rejections: [Timestamp] = []
    /// The times of the latest rejections by another method than possession, the oldest first.
    var provenRejections: [Timestamp] = []
    /// The time of the last rejection with the reason `notMe`; `nil` if there was none.
    public internal(set) var notMe: Timestamp?
    /// The end of the strict mode; `nil` if it never started.
    public internal(set) var strictUntil: Timestamp?
    /// The end of the step-up, in which approvals ask for the method and the number of ``StrictMode``; `nil` outside of
    /// it. The next approval by another method than possession ends it.
    public internal(set) var stepUpUntil: Timestamp?
    /// The time until which nothing is pushed; `nil` for no such time.
    public internal(set) var mutedUntil: Timestamp?
    /// The time of the last strong approval; `nil` if there was none.
    public internal(set) var lastStrongApproval: Timestamp?
    /// The payments by possession since ``lastStrongApproval``.
    public internal(set) var smallPayments = SmallPayments()
    /// Keyed hashes of the creditors, 16 bytes each, the one that was paid last at the end.
    var creditors: [[UInt8]] = []
    /// Keyed hashes of the fingerprints of browsers, 16 bytes each, the one that was used last at the end.
    var browsers: [[UInt8]] = []

    /// Creates the state of an account without a history.
    public init() {}

    /// Returns whether the account is in the strict mode.
    public func isStrict(at now: Timestamp) -> Bool { strictUntil.map { now < $0 } ?? false }

    /// Returns whether the account is in the step-up.
    public func isStepUp(at now: Timestamp) -> Bool { stepUpUntil.map { now < $0 } ?? false }

    /// Returns whether the user has paid a creditor.
    ///
    /// - Parameter hash: The keyed hash of the creditor.
    func knows(creditor hash: [UInt8]) -> Bool { creditors.contains(hash) }

    /// Returns whether the user has paid a creditor.
    ///
    /// - Parameter hash: The keyed hash of the creditor; `nil` if the application server named none.
    func recognizes(creditor hash: [UInt8]?) -> Situation.Recognition {
        hash.map { knows(creditor: $0) ? .known : .new } ?? .unnamed
    }

    /// Returns whether the user has approved in a browser.
    ///
    /// - Parameter hash: The keyed hash of its fingerprint; `nil` if the application server named none.
    func recognizes(browser hash: [UInt8]?) -> Situation.Recognition {
        hash.map { browsers.contains($0) ? .known : .new } ?? .unnamed
    }

    /// Returns the number of rejections within a time before now. Times after now also count, because the clock was set
    /// back.
    func rejections(within window: Duration, of now: Timestamp) -> Int {
        Self.count(rejections, within: window, of: now)
    }

    private static func count(_ times: [Timestamp], within window: Duration, of now: Timestamp) -> Int {
        times.count { now.milliseconds(since: $0) < window.wholeMilliseconds }
    }

    /// Changes the state after an event.
    ///
    /// - Parameters:
    ///   - event: The event that happened.
    ///   - now: The time of the event.
    ///   - policy: The policy, whose limits apply.
    public mutating func record(_ event: Event, at now: Timestamp, policy: Policy) {
        switch event {
        case .pushed:
            pushes = pushes.suffix(Self.maximumPushes - 1) + [now]
        case .approvedStrongly(let creditor, let browser):
            lastStrongApproval = now
            smallPayments = SmallPayments()
            // The mute of the strict mode stays, and ends with the strict mode.
            if isStepUp(at: now), !isStrict(at: now) { mutedUntil = nil }
            stepUpUntil = nil
            Self.remember(creditor, in: &creditors, atMost: Self.maximumCreditors)
            Self.remember(browser, in: &browsers, atMost: Self.maximumBrowsers)
        case .paidByPossession(let amount):
            smallPayments.add(amount)
        case .wrongNumber:
            reject(at: now, isProven: false, policy: policy)
        case .rejected(let reason, let isProven):
            reject(at: now, isProven: isProven, policy: policy)
            guard reason == .notMe else { return }
            notMe = now
            let end = now.advanced(by: isProven ? policy.strict.durationAfterNotMe : Self.stepUpDuration)
            mutedUntil = max(mutedUntil ?? end, end)
            if isProven { strictUntil = max(strictUntil ?? end, end) } else { stepUpUntil = end }
        }
    }

    /// Ends the strict mode, the step-up and the mute, and removes the rejections. An administrator calls this for a
    /// user who is no longer under attack.
    public mutating func lift() {
        rejections = []
        provenRejections = []
        notMe = nil
        strictUntil = nil
        stepUpUntil = nil
        mutedUntil = nil
    }

    /// Moves or adds a hash to the end, and removes the first one above the maximum number.
    private static func remember(_ hash: [UInt8]?, in hashes: inout [[UInt8]], atMost count: Int) {
        guard let hash, hash.count == Self.hashBytes else { return }
        hashes.removeAll { $0 == hash }
        hashes = hashes.suffix(count - 1) + [hash]
    }

    private mutating func reject(at now: Timestamp, isProven: Bool, policy: Policy) {
        let strict = policy.strict
        rejections = rejections.suffix(Self.maximumRejections - 1) + [now]
        if rejections(within: strict.window, of: now) >= strict.rejections {
            stepUpUntil = now.advanced(by: Self.stepUpDuration)
        }
        // Only a proven rejection leads to the strict mode, which refuses unknown sources.
        guard isProven else { return }
        provenRejections = provenRejections.suffix(Self.maximumRejections - 1) + [now]
        guard Self.count(provenRejections, within: strict.window, of: now) >= strict.rejections else { return }
        let end = now.advanced(by: strict.duration)
        strictUntil = max(strictUntil ?? end, end)
    }
}

extension Timestamp {
    /// Returns the point in time some time later.
    func advanced(by duration: Duration) -> Timestamp { advanced(milliseconds: duration.wholeMilliseconds) }
}
