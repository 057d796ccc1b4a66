public import Primitives

/// A keypad for passwords of digits: the model behind a view or a terminal.
///
/// A host shows ``digits`` and ``mask(_:)`` and calls ``press(_:)`` for each key. The keypad performs no input or
/// output. Its entry is kept in memory that is wiped with each change, when the user cancels, and when the keypad is
/// released. No property or action contains a digit of it. A keypad does not support pasting, because a clipboard would
/// keep the password.
///
/// ```swift
/// var keypad = try Keypad(policy: policy)
/// for key in keys where keypad.press(key) == .completed { return keypad.takeInput() }
/// ```
public struct Keypad: ~Copyable, Sendable {
    /// A key of a keypad.
    public enum Key: Sendable, Hashable {
        /// The key of a digit, by its place in ``Keypad/digits``, 0 to 9.
        case place(Int)
        /// The key that removes the last digit.
        case delete
        /// A key that removes all digits.
        case clear
        /// The key that ends the entry.
        case done
        /// The key that cancels.
        case cancel
    }

    /// The effect of a key.
    public enum Action: Sendable, Hashable {
        /// The number of entered digits has changed: show the mask again.
        case changed(count: Int)
        /// The key has no effect: the entry is full, is empty at ``Key/delete``, or the keypad has ended.
        case ignored
        /// The entry cannot be a password yet. Show the text of the fault; the user continues.
        case refused(PasswordFault)
        /// The entry is complete: take it with ``Keypad/takeInput()``.
        case completed
        /// The user has canceled. The entry is wiped.
        case canceled
    }

    private enum State: Sendable {
        case entering, completed, ended
    }

    private let layout: KeypadLayout
    private let policy: PINPolicy

    /// The digit of each key, 0 to 9, at random places. They stay the same until the keypad is released.
    ///
    /// The keys are counted from the top left to the bottom right; the last one is below the middle of the third row.
    /// Random places hide the password from a record of the touched places, and from a program that records key
    /// strokes. With the places, both know the digits.
    public var digits: [Int] { layout.digits }

    /// The number of entered digits.
    public private(set) var count = 0

    private var state = State.entering
    private var entry: SecretBytes

    /// Creates an empty keypad.
    ///
    /// - Parameters:
    ///   - policy: The form of the password, see ``Prompt/policy``.
    ///   - random: The source of randomness for the places of the digits.
    /// - Throws: `providerUnavailable` for a policy that allows characters other than digits, because a keypad cannot
    ///   enter them.
    public init(policy: PINPolicy, random: any RandomSource = SystemRandomSource()) throws(OrchestrationError) {
        guard policy.digitsOnly else { throw OrchestrationError(.providerUnavailable) }
        layout = KeypadLayout(random: random)
        self.policy = policy
        entry = SecretBytes(copying: [])
    }

    /// Whether ``Key/done`` would complete the entry.
    var isComplete: Bool { state == .entering && count >= policy.minimumLength }

    /// Whether the keypad takes no further digit.
    var isFull: Bool { count >= policy.maximumLength }

    /// Presses a key.
    ///
    /// - Parameter key: The key. A place outside 0 to 9 is ignored.
    /// - Returns: The effect, which contains no digit.
    public mutating func press(_ key: Key) -> Action {
        guard state == .entering else { return .ignored }
        switch key {
        case .place(let place):
            guard layout.digits.indices.contains(place), !isFull else { return .ignored }
            return replace(count: count + 1, last: UInt8(ascii: "0") + UInt8(layout.digits[place]))
        case .delete:
            guard count > 0 else { return .ignored }
            return replace(count: count - 1)
        case .clear:
            guard count > 0 else { return .ignored }
            return replace(count: 0)
        case .done:
            guard isComplete else { return .refused(.tooShort(minimum: policy.minimumLength)) }
            state = .completed
            return .completed
        case .cancel:
            _ = replace(count: 0)
            state = .ended
            return .canceled
        }
    }

    /// Takes the entry after ``Action/completed``.
    ///
    /// - Returns: The digits at the first call, as a provider returns them; `nil` before and afterwards.
    public mutating func takeInput() -> UserInput? {
        guard state == .completed else { return nil }
        let input = UserInput(entry.copy())
        _ = replace(count: 0)
        state = .ended
        return input
    }

    /// Returns the masked entry: a full character for each entered digit and an empty one for each further digit that
    /// the policy allows.
    ///
    /// - Parameter theme: The two characters.
    public borrowing func mask(_ theme: KeypadTheme = KeypadTheme()) -> String {
        String(repeating: theme.inputFullCharacter, count: count)
            + String(repeating: theme.inputEmptyCharacter, count: policy.maximumLength - count)
    }

    /// Moves the first digits to new memory. The old memory is wiped.
    private mutating func replace(count: Int, last: UInt8? = nil) -> Action {
        let old = entry.copy()
        entry = SecretBytes(count: count) { new in
            old.withBytes { old in
                for index in 0..<min(count, old.count) { new[index] = old[index] }
            }
            if let last { new[count - 1] = last }
        }
        self.count = count
        return .changed(count: count)
    }
}
