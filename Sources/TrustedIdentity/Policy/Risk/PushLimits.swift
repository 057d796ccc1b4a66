public import Primitives

/// The limits on approval requests that are pushed to the devices of an account.
///
/// A request over the limits is created and not pushed: the user scans its QR code, or opens the app.
public struct PushLimits: Sendable, Hashable {
    /// The allowed values of ``burst`` and ``daily``.
    public static let counts = 1...RiskState.maximumPushes
    /// The allowed values of the times: a second to 24 hours.
    public static let durations = Duration.seconds(1)...Duration.seconds(86_400)

    /// The number of pushes within ``window``, 1 to 100.
    public let burst: Int
    /// The time in which ``burst`` counts, 1 second to 24 hours.
    public let window: Duration
    /// The number of pushes in 24 hours, 1 to 100. Only pushes after the last strong approval count.
    public let daily: Int
    /// The time without pushes after a rejection. It doubles with each further rejection of the last 24 hours, until a
    /// strong approval. 1 second to 24 hours.
    public let backOff: Duration
    /// The longest time without pushes after a rejection, from ``backOff`` to 24 hours.
    public let maximumBackOff: Duration

    /// 3 pushes in 10 minutes, 10 a day without a strong approval, and no push for 1 minute after a rejection, doubling
    /// up to an hour.
    public static let `default`: PushLimits = {
        guard let limits = PushLimits() else { preconditionFailure("the default push limits are within their limits") }
        return limits
    }()

    /// Creates limits.
    ///
    /// - Returns: `nil` for a value outside its limits.
    public init?(
        burst: Int = 3, window: Duration = .seconds(600), daily: Int = 10, backOff: Duration = .seconds(60),
        maximumBackOff: Duration = .seconds(3_600)
    ) {
        guard Self.counts.contains(burst), Self.counts.contains(daily), Self.durations.contains(window),
            Self.durations.contains(backOff), Self.durations.contains(maximumBackOff), backOff <= maximumBackOff
        else { return nil }
        self.burst = burst
        self.window = window
        self.daily = daily
        self.backOff = backOff
        self.maximumBackOff = maximumBackOff
    }

    /// Returns whether an approval request is pushed now.
    public func permission(for risk: RiskState, at now: Timestamp) -> PushPermission {
        if let end = risk.mutedUntil, now < end { return .muted }
        let day = Duration.seconds(86_400)
        // An approval ends the series of pushes and rejections before it and in the same millisecond.
        func isAfterApproval(_ time: Timestamp) -> Bool { risk.lastStrongApproval.map { $0 < time } ?? true }
        func count(_ times: [Timestamp], within window: Duration) -> Int {
            times.count { now.milliseconds(since: $0) < window.wholeMilliseconds && isAfterApproval($0) }
        }
        // The last one may not be the latest, because the clock may have been set back between two.
        if let last = risk.rejections.max() {
            let series = count(risk.rejections, within: day)
            if series > 0, now < last.advanced(by: backOff(after: series)) { return .backOff }
        }
        let recent = risk.pushes.count { now.milliseconds(since: $0) < window.wholeMilliseconds }
        guard recent < burst, count(risk.pushes, within: day) < daily else { return .overBudget }
        return .allowed
    }

    /// Returns the time without pushes after the last of several rejections.
    private func backOff(after rejections: Int) -> Duration {
        var time = backOff
        for _ in 1..<max(rejections, 1) where time < maximumBackOff { time += time }
        return min(time, maximumBackOff)
    }
}

/// Whether an approval request is pushed, and the reason if it is not.
public enum PushPermission: UInt8, Sendable, Hashable, CaseIterable, CustomStringConvertible {
    /// It is pushed.
    case allowed = 0
    /// The number of pushes has reached the limits.
    case overBudget = 1
    /// The user has just rejected a request.
    case backOff = 2
    /// The user has rejected a request with the reason `notMe`.
    case muted = 3

    /// The name of the case, for example `overBudget`.
    public var description: String {
        switch self {
        case .allowed: "allowed"
        case .overBudget: "overBudget"
        case .backOff: "backOff"
        case .muted: "muted"
        }
    }
}

/// The rules after a user has rejected several requests, or one with the reason `notMe`.
///
/// In the strict mode approvals need a method and a number, the site must show the number, and the source must be
/// known. Only rejections by another method than possession start it. Rejections by possession and wrong numbers start
/// the *step-up*: approvals need the method, and the number if the site shows one, until the next approval by another
/// method than possession, for one hour at most. Codes that the user types are not affected.
public struct StrictMode: Sendable, Hashable {
    /// The allowed values of ``rejections``.
    public static let counts = 1...RiskState.maximumRejections
    /// The allowed values of ``duration`` and ``durationAfterNotMe``: a second to 30 days.
    public static let durations = Duration.seconds(1)...Duration.seconds(2_592_000)

    /// The number of rejections within ``window`` that start the strict mode, 1 to 16: only rejections by another
    /// method than possession count. The same number of rejections of all kinds and wrong numbers starts the step-up.
    public let rejections: Int
    /// The time in which rejections count, 1 second to 24 hours.
    public let window: Duration
    /// The duration of the strict mode after the last rejection, 1 second to 30 days.
    public let duration: Duration
    /// The duration of the strict mode after a rejection with the reason `notMe` by another method than possession, 1
    /// second to 30 days. Nothing is pushed in it.
    public let durationAfterNotMe: Duration
    /// The method of an approval: not possession.
    public let method: AuthenticationMethod
    /// The number of digits that the user types, 2 to 8.
    public let digits: Int

    /// The strict mode lasts an hour after three rejections in 10 minutes, and 24 hours after one with the reason
    /// `notMe`. It asks for the password and 6 digits.
    public static let `default`: StrictMode = {
        guard let strict = StrictMode() else { preconditionFailure("the default strict mode is within its limits") }
        return strict
    }()

    /// Creates the parameters.
    ///
    /// - Returns: `nil` for a value outside its limits.
    public init?(
        rejections: Int = 3, window: Duration = .seconds(600), duration: Duration = .seconds(3_600),
        durationAfterNotMe: Duration = .seconds(86_400), method: AuthenticationMethod = .password, digits: Int = 6
    ) {
        guard Self.counts.contains(rejections), PushLimits.durations.contains(window),
            Self.durations.contains(duration), Self.durations.contains(durationAfterNotMe), method != .possession,
            PolicyRequirement.digitCounts.contains(digits)
        else { return nil }
        self.rejections = rejections
        self.window = window
        self.duration = duration
        self.durationAfterNotMe = durationAfterNotMe
        self.method = method
        self.digits = digits
    }
}
