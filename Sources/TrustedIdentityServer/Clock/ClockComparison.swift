internal import Logging
internal import Primitives
internal import ServiceLifecycle
internal import TrustedIdentity

/// The configuration of the comparison of the clock with a server.
package struct ClockConfiguration: Sendable, Hashable {
    /// The NTP server, or nil for none.
    package var server: ListenAddress?

    /// The most by which the clock may differ.
    package var tolerance = Duration.seconds(2)
}

/// The service that compares the clock with an NTP server from time to time.
///
/// No check of readiness waits for it: the latest measurement is kept.
struct ClockComparison: Service {
    /// The time between two queries, of which up to a tenth more is random.
    static let interval = Duration.seconds(300)
    /// The time to the next query after a failure.
    static let failureInterval = Duration.seconds(120)
    /// The longest time between two queries of a server that asks for fewer.
    static let longestInterval = Duration.seconds(900)

    let platform: Platform
    let server: ListenAddress
    let tolerance: Duration
    let client: SNTPClient
    let logger: Logger

    private var time: any TimeSource { client.time }

    /// Works until the group shuts down, or the task is canceled.
    func run() async throws {
        do {
            try await cancelWhenGracefulShutdown { try await compare() }
        } catch is CancellationError {
            // The end of the work, not a failure of the group.
        }
    }

    /// Compares until the task is canceled.
    func compare() async throws {
        var interval = Self.interval
        var failure: SNTPError?
        while true {
            var pause = interval
            do {
                platform.noteReferenceTime(try await client.query(server), tolerance: tolerance)
                if failure != nil { logger.notice("the NTP server answers again") }
                failure = nil
            } catch let error as SNTPError {
                platform.noteReferenceFailure(error.message)
                if failure != error {
                    logger.warning(
                        "the clock is not compared with the NTP server", metadata: ["ntp.failure": "\(error.message)"])
                }
                failure = error
                if interval == Self.interval { pause = Self.failureInterval }
                if case .kissOfDeath(let code) = error {
                    // RFC 5905, section 7.4: DENY and RSTR end the association, RATE asks for fewer requests. Any other
                    // code is treated as RATE.
                    if ["DENY", "RSTR"].contains(code) { return try await untilCanceled() }
                    interval = min(interval * 2, Self.longestInterval)
                    pause = interval
                }
            }
            try await time.sleep(for: pause + jitter(of: pause))
        }
    }

    private func untilCanceled() async throws {
        while true { try await time.sleep(for: .seconds(86_400)) }
    }

    private func jitter(of pause: Duration) -> Duration {
        let word = client.random.bytes(2).reduce(Int64(0)) { $0 << 8 | Int64($1) }
        return .milliseconds(((pause / 10).wholeMilliseconds * word) >> 16)
    }
}
