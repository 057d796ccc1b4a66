internal import Primitives

/// The tick at which a refused credential is answered: 25 ms after the call, or at the next multiple of 25 ms.
///
/// If a refusal left as soon as it is decided, its time would show which rows exist and what was compared. The caller
/// waits until the tick, and occupies no slot of a reader, a writer or the hasher. The time of the call begins the
/// wait. A server calls the platform after it has received the whole body, so a caller cannot move the tick by sending
/// slowly.
///
/// Refusals whose work takes about a multiple of 25 ms leave at one tick or at the next one. The share of each tick
/// still depends on the work.
struct AnswerTick: Sendable {
    /// The time between two ticks.
    static let interval = Duration.milliseconds(25)

    private let time: any TimeSource
    private let interval: Duration
    private let begin: Duration

    /// Begins the time of a call.
    ///
    /// - Parameter interval: The time between two ticks. 0 answers at once.
    init(_ time: any TimeSource, interval: Duration) {
        self.time = time
        self.interval = interval
        begin = time.uptime()
    }

    /// Waits until the next tick after the call. A canceled call, for example at a shutdown, no longer waits.
    func wait() async {
        try? await time.sleep(for: Self.remainder(of: time.uptime() - begin, interval: interval))
    }

    /// Returns the remaining time until a tick.
    ///
    /// - Parameter elapsed: The time since the call.
    static func remainder(of elapsed: Duration, interval: Duration) -> Duration {
        guard interval > .zero else { return .zero }
        let ticks = max(1, (elapsed / interval).rounded(.up))
        return max(.zero, interval * ticks - elapsed)
    }
}

extension Platform {
    /// Returns the tick of a call that begins now.
    func answerTick() -> AnswerTick { AnswerTick(time, interval: configuration.answerInterval) }
}
