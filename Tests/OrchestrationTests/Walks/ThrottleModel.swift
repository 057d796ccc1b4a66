import Primitives

/// A model of the blocks of typed codes, made from the protocol articles: five failures in a row block for a minute,
/// and twice as long each further time, up to a day. The level falls by one a day. Fifty failures block until a lift.
struct ThrottleModel {
    private(set) var row = 0
    private(set) var total = 0
    private(set) var unreported = 0
    private(set) var blockedUntil: Timestamp?
    private var blocks: [Timestamp] = []

    func isBlocked(at now: Timestamp) -> Bool {
        total >= 50 || blockedUntil.map { now < $0 } ?? false
    }

    mutating func fail(at now: Timestamp) {
        row += 1
        total += 1
        unreported += 1
        guard row == 5 else { return }
        let level = level(at: now)
        let minutes = level >= 11 ? 1_440 : min(1_440, 1 << level)
        blockedUntil = now.advanced(seconds: Int64(minutes) * 60)
        blocks = Array(repeating: now, count: level + 1)
        row = 0
    }

    mutating func succeed() { row = 0 }

    mutating func report() -> Int {
        defer { unreported = 0 }
        return unreported
    }

    mutating func lift() {
        let unreported = unreported
        self = ThrottleModel()
        self.unreported = unreported
    }

    /// Returns the number of blocks that count: one less for each day since the last one.
    private func level(at now: Timestamp) -> Int {
        guard let last = blocks.last else { return 0 }
        return max(0, blocks.count - Int(now.milliseconds(since: last) / 86_400_000))
    }
}
