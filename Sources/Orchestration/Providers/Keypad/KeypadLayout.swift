internal import Primitives

/// The places of the ten digits on the keys of a keypad, each of the 10! with the same probability.
///
/// With the layout, an observer of the touched places knows the digits. Therefore neither printing nor reflection shows
/// it.
struct KeypadLayout: Sendable, Redacted {
    /// The digit of each key, 0 to 9.
    let digits: [Int]

    init(random: any RandomSource) {
        var digits = Array(0...9)
        // Fisher and Yates: each digit changes places with one of the remaining digits. The numbers come from 64 bits
        // each, which keeps their bias below 2^-60.
        for last in stride(from: digits.count - 1, to: 0, by: -1) {
            let word = random.bytes(8).reduce(0 as UInt64) { $0 << 8 | UInt64($1) }
            digits.swapAt(last, Int(word.multipliedFullWidth(by: UInt64(last + 1)).high))
        }
        self.digits = digits
    }
}
