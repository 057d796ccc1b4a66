internal import Primitives

/// The tick at which a refused credential is answered: 25 ms after the call, or at the next multiple of 25 ms.
///
/// A refusal that left as soon as it is decided would show by its time which rows exist and what was compared. Until the
/// tick the caller waits, with no slot of a reader, a writer or the hasher. The time of the call begins the wait. A
/// server calls the platform once the whole body is there, so a caller cannot move the tick by sending slowly.
///
/// Refusals whose work takes about a multiple of 25 ms leave at one tick or at the next one. Their share still depends
/// on the work.
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

    /// Waits until the next tick after the call. A canceled call, as at a shutdown, waits no longer.
    func wait() async {
        try? await time.sleep(for: Self.remainder(of: time.uptime() - begin, interval: interval))
    }

    /// Returns the time that is left until a tick.
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
