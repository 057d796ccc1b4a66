public import Primitives

/// The places of the ten digits on the keys of a keypad.
///
/// A random layout hides the password from an observer of the places that are touched, and from a program that records
/// key strokes. With the layout, both know the digits: neither printing nor reflection shows it.
public struct KeypadLayout: Sendable, Hashable, Redacted {
    /// The digit of each key, 0 to 9. The keys are counted from the top left to the bottom right; the last one is below
    /// the middle of the third row.
    public let digits: [Int]

    /// The layout of telephones: 1 to 9, then 0.
    public static let ordered = KeypadLayout(digits: [1, 2, 3, 4, 5, 6, 7, 8, 9, 0])

    private init(digits: [Int]) { self.digits = digits }

    /// Creates a random layout. Each of the 10! layouts has the same probability.
    ///
    /// - Parameter random: The source of randomness.
    public init(random: any RandomSource = SystemRandomSource()) {
        var digits = Array(0...9)
        // Fisher and Yates: each digit changes places with one of those that are left. The numbers come from 64 bits
        // each, so that their bias is below 2^-60.
        for last in stride(from: digits.count - 1, to: 0, by: -1) {
            let word = random.bytes(8).reduce(0 as UInt64) { $0 << 8 | UInt64($1) }
            digits.swapAt(last, Int(word.multipliedFullWidth(by: UInt64(last + 1)).high))
        }
        self.init(digits: digits)
    }
}
