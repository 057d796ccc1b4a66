package import Primitives
internal import Synchronization

/// The time of a server, as it was measured at a moment of this process.
package struct ReferenceTime: Sendable, Hashable {
    /// The time of the server.
    package let time: Timestamp
    /// The moment by ``TimeSource/uptime()``.
    package let uptime: Duration
    /// The most by which the measurement can be wrong: half of the time on the network.
    package let uncertainty: Duration

    /// Creates a time.
    package init(time: Timestamp, uptime: Duration, uncertainty: Duration) {
        self.time = time
        self.uptime = uptime
        self.uncertainty = uncertainty
    }
}

/// The comparison of the platform's clock with the time of a server.
///
/// The measurement is kept with the moment of the process, so that a check of the clock needs no network: a clock that is
/// set, rightly or wrongly, is noticed at the next check.
final class ReferenceClock: Sendable {
    /// The time for which a measurement counts. The clock of a machine drifts by 54 ms in it, by the tolerance of
    /// RFC 5905, section 7.2: 15 parts in a million.
    static let lifetime = Duration.seconds(3_600)

    private struct State {
        var reference: ReferenceTime?
        var tolerance = Duration.zero
        /// Why the latest query has failed; nil after one that succeeded.
        var failure: String?
    }

    private let state = Mutex(State())

    func note(_ reference: ReferenceTime, tolerance: Duration) {
        state.withLock { $0 = State(reference: reference, tolerance: tolerance) }
    }

    func note(failure: String) { state.withLock { $0.failure = failure } }

    /// Returns by how much the clock is ahead of the server, beyond what the measurement can be wrong; nil without a
    /// measurement that counts.
    func difference(at now: Timestamp, uptime: Duration) -> Duration? {
        guard let reference = state.withLock({ $0.reference }), uptime - reference.uptime <= Self.lifetime else {
            return nil
        }
        let expected = reference.time.advanced(milliseconds: (uptime - reference.uptime).wholeMilliseconds)
        let ahead = Duration.milliseconds(now.milliseconds(since: expected))
        if ahead > reference.uncertainty { return ahead - reference.uncertainty }
        return ahead < .zero - reference.uncertainty ? ahead + reference.uncertainty : .zero
    }

    /// The problem of the clock; nil for none.
    func problem(at now: Timestamp, uptime: Duration) -> Readiness.Problem? {
        let tolerance = state.withLock { $0.tolerance }
        guard let ahead = difference(at: now, uptime: uptime), ahead > tolerance || ahead < .zero - tolerance else {
            return nil
        }
        let length = (ahead < .zero ? .zero - ahead : ahead).wholeMilliseconds
        return .init(
            part: .clock,
            message: "the clock is \(length) ms \(ahead < .zero ? "behind" : "ahead of") the NTP server: set the clock")
    }

    /// The failure of the latest query; nil for none.
    var note: Readiness.Problem? {
        state.withLock { $0.failure }.map {
            .init(part: .clock, message: "the clock is not compared with the NTP server: \($0)")
        }
    }
}

extension Platform {
    /// Notes the time of a server, with which ``readiness()`` compares the clock.
    ///
    /// - Parameters:
    ///   - reference: The time.
    ///   - tolerance: The most by which the clock may differ.
    package func noteReferenceTime(_ reference: ReferenceTime, tolerance: Duration) {
        referenceClock.note(reference, tolerance: tolerance)
    }

    /// Notes that the time of a server could not be measured, with the reason for administrators.
    package func noteReferenceFailure(_ reason: String) { referenceClock.note(failure: reason) }
}
