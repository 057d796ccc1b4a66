import OrchestrationTesting
import Primitives
import Synchronization
import Testing

@testable import Orchestration

@Suite struct KeypadTests {
    private func policy(_ minimum: Int = 4, _ maximum: Int = 6, digitsOnly: Bool = true) throws -> PINPolicy {
        try #require(PINPolicy(minimumLength: minimum, maximumLength: maximum, digitsOnly: digitsOnly))
    }

    /// Presses the keys of digits.
    private func enter(_ digits: String, on keypad: inout Keypad) throws -> [Keypad.Action] {
        var actions: [Keypad.Action] = []
        for digit in digits {
            let value = try #require(digit.wholeNumberValue)
            actions.append(keypad.press(.place(try #require(keypad.digits.firstIndex(of: value)))))
        }
        return actions
    }

    @Test(arguments: 0..<20) func `the digits that the keys show are entered, at whatever places they are`(
        seed: UInt64
    ) throws {
        var keypad = try Keypad(policy: policy(), random: SeededRandomSource(seed: seed))
        #expect(try enter("80215", on: &keypad) == (1...5).map { .changed(count: $0) })
        #expect(keypad.press(.done) == .completed)
        let input = keypad.takeInput()
        #expect(input?.text == "80215")
        let again = keypad.takeInput()
        #expect(again == nil)
    }

    @Test func `the keys that delete remove one digit, or all of them`() throws {
        var keypad = try Keypad(policy: policy())
        #expect(keypad.press(.delete) == .ignored)
        #expect(keypad.press(.clear) == .ignored)
        _ = try enter("73", on: &keypad)
        #expect(keypad.press(.delete) == .changed(count: 1))
        _ = try enter("915", on: &keypad)
        #expect(keypad.count == 4)
        #expect(keypad.press(.clear) == .changed(count: 0))
        _ = try enter("4829", on: &keypad)
        #expect(keypad.press(.done) == .completed)
        #expect(keypad.takeInput()?.text == "4829")
    }

    @Test func `the policy limits the number of digits on both sides`() throws {
        var keypad = try Keypad(policy: policy())
        _ = try enter("123", on: &keypad)
        let (short, full) = (keypad.isComplete, keypad.isFull)
        #expect(!short && !full)
        #expect(keypad.press(.done) == .refused(.tooShort(minimum: 4)))
        #expect(try enter("4567", on: &keypad) == [4, 5, 6].map { .changed(count: $0) } + [.ignored])
        let (complete, isFull) = (keypad.isComplete, keypad.isFull)
        #expect(complete && isFull)
        #expect(keypad.press(.done) == .completed)
        #expect(keypad.takeInput()?.text == "123456")
    }

    @Test func `a keypad that has ended takes no key and gives no digits`() throws {
        let all: [Keypad.Key] = [.place(0), .delete, .clear, .done, .cancel]
        var canceled = try Keypad(policy: policy())
        _ = try enter("1234", on: &canceled)
        #expect(canceled.press(.cancel) == .canceled)
        #expect(canceled.count == 0)
        for key in all { #expect(canceled.press(key) == .ignored) }
        let none = canceled.takeInput()
        #expect(none == nil)

        var completed = try Keypad(policy: policy())
        _ = try enter("1234", on: &completed)
        let early = completed.takeInput()
        #expect(early == nil)
        #expect(completed.press(.done) == .completed)
        for key in all { #expect(completed.press(key) == .ignored) }
        #expect(completed.takeInput()?.text == "1234")
        #expect(completed.count == 0)
    }

    @Test(arguments: [-1, 10, .max, .min]) func `a place without a key is ignored`(place: Int) throws {
        var keypad = try Keypad(policy: policy())
        #expect(keypad.press(.place(place)) == .ignored)
        #expect(keypad.count == 0)
    }

    @Test func `a policy with other characters than digits has no keypad`() throws {
        let text = try policy(digitsOnly: false)
        #expect(throws: OrchestrationError(.providerUnavailable)) { _ = try Keypad(policy: text) }
    }

    @Test func `the mask shows the number of digits and none of them`() throws {
        var keypad = try Keypad(policy: policy())
        #expect(keypad.mask() == "□□□□□□")
        _ = try enter("73", on: &keypad)
        #expect(keypad.mask() == "■■□□□□")
        var theme = KeypadTheme()
        (theme.inputFullCharacter, theme.inputEmptyCharacter) = ("*", "-")
        #expect(keypad.mask(theme) == "**----")
    }

    @Test func `a layout does not print its digits`() {
        let layout = KeypadLayout(random: SeededRandomSource(seed: 1))
        var text = ""
        dump(layout, to: &text)
        text += "\(layout)" + String(reflecting: layout)
        #expect(!text.contains { $0.isNumber })
    }
}

@Suite struct KeypadLayoutTests {
    @Test func `each layout has each digit once`() {
        let random = SeededRandomSource(seed: 7)
        for _ in 0..<1_000 { #expect(KeypadLayout(random: random).digits.sorted() == Array(0...9)) }
    }

    /// For each place and digit: 9 · 9 degrees of freedom for the table of a random permutation. The statistic, scaled
    /// by (n - 1) / n, has the mean 81 and the deviation √162; the bounds lie six deviations away.
    @Test func `each digit is at each place equally often`() {
        let random = SeededRandomSource(seed: 1_119)
        let (count, places) = (20_000, 0..<10)
        var table = places.map { _ in [Int](repeating: 0, count: 10) }
        for _ in 0..<count {
            for (place, digit) in KeypadLayout(random: random).digits.enumerated() { table[place][digit] += 1 }
        }
        let expected = Double(count) / 10
        let square = table.joined().reduce(0.0) { $0 + ($1 - expected) * ($1 - expected) / expected } * 9 / 10
        #expect((81 - 6 * 12.73...81 + 6 * 12.73).contains(square), "\(square)")
    }

    /// A source whose words count through all choices of the shuffle: each of the ten draws has as many equal parts as
    /// digits are left.
    @Test func `all orders of the last three places come exactly once from all choices`() {
        var orders: Set<[Int]> = []
        for first in 0..<10 {
            for second in 0..<9 {
                for third in 0..<8 {
                    let random = ChosenWords([(first, 10), (second, 9), (third, 8)])
                    orders.insert(Array(KeypadLayout(random: random).digits.suffix(3)))
                }
            }
        }
        #expect(orders.count == 720)
    }
}

extension Double {
    fileprivate static func - (a: Int, b: Double) -> Double { Double(a) - b }
}

/// A source whose words choose a part of a whole: the middle of part `first` of `second` equal parts of 64 bits.
private final class ChosenWords: RandomSource {
    private let words: [UInt64]
    private let place = Atomic(0)

    init(_ choices: [(Int, Int)]) {
        words = choices.map { UInt64($0.0) * (.max / UInt64($0.1)) + .max / UInt64($0.1 * 2) }
    }

    func bytes(_ count: Int) -> [UInt8] {
        let next = place.add(1, ordering: .relaxed).oldValue
        let word = next < words.count ? words[next] : 0
        return (0..<count).map { UInt8(truncatingIfNeeded: word >> (8 * UInt64(count - 1 - $0))) }
    }
}
