public import Primitives

/// A provider that asks for passwords of digits with a keypad at the controlling terminal.
///
/// The digits are at random places, each next to a letter, and the user types the letters. A program that records key
/// strokes and does not see the screen learns how many digits the password has, and which of them are equal. The keypad
/// is on the alternate screen of the terminal, which is removed at the end of the entry and is not kept for scrolling
/// back. Backspace and Ctrl-U delete; Enter ends the entry; Ctrl-C, Ctrl-\ and Ctrl-D on an empty entry cancel. Other
/// keys, including digits, have no effect.
///
/// A password of other characters than digits, or of an unknown form, is asked for as in ``TerminalPasswordProvider``.
public struct TerminalKeypadProvider: PasswordProvider {
    private let path: String
    private let texts: PromptCatalog
    private let theme: KeypadTheme
    private let random: any RandomSource

    /// Creates a provider for the controlling terminal.
    ///
    /// - Parameters:
    ///   - texts: The texts of the app.
    ///   - theme: The characters of the masked entry. A terminal uses no other part of the theme.
    ///   - random: The source of randomness for the places of the digits.
    public init(
        texts: PromptCatalog = .default, theme: KeypadTheme = KeypadTheme(),
        random: any RandomSource = SystemRandomSource()
    ) {
        self.init(path: "/dev/tty", texts: texts, theme: theme, random: random)
    }

    package init(
        path: String, texts: PromptCatalog = .default, theme: KeypadTheme = KeypadTheme(), random: any RandomSource
    ) {
        self.path = path
        self.texts = texts
        self.theme = theme
        self.random = random
    }

    /// Returns `available` where the process has a terminal.
    public func availability() async -> Availability {
        Terminal.exists(path: path) ? .available : .unavailable
    }

    /// Asks once. After an entry with too few digits, the keypad shows the reason and continues.
    ///
    /// - Parameter prompt: The question.
    /// - Returns: The digits.
    /// - Throws: `inputUnavailable` without a terminal; ``UserAuthenticationError/aborted`` when the user cancels;
    ///   `CancellationError` when the task is canceled.
    public func authenticate(_ prompt: Prompt) async throws -> UserInput {
        guard let policy = prompt.policy, policy.digitsOnly else {
            return try await TerminalPasswordProvider(path: path).authenticate(prompt)
        }
        let (path, random) = (path, random)
        let question = TerminalPasswordProvider.question(prompt)
        let (texts, theme) = (texts, theme)
        return try await BlockingRead.run { wakeUp in
            let terminal = try Terminal(path: path)
            var keypad = try Keypad(policy: policy, random: random)
            let screen = KeypadScreen(question: question, texts: texts, theme: theme)
            try terminal.show(screen.opened(keypad))
            // After the entry, the screen must not show the places of the digits.
            defer { try? terminal.show(KeypadScreen.closed) }
            var keys = KeypadKeys()
            while true {
                let byte = try terminal.readKey(wakeUp, isEmpty: keypad.count == 0)
                guard let key = keys.key(for: byte) else { continue }
                let action = keypad.press(key)
                switch action {
                case .changed: try terminal.show(screen.drawn(keypad))
                case .refused(let fault): try terminal.show(screen.drawn(keypad, fault: fault))
                case .ignored: break
                case .canceled: throw UserAuthenticationError.aborted
                case .completed:
                    if let input = keypad.takeInput() { return input }
                }
            }
        }
    }
}

/// The keys of a keypad at a terminal, decoded from the bytes that the terminal sends.
struct KeypadKeys {
    private enum Escape { case none, begun, sequence, last }

    private var escape = Escape.none

    /// The letters next to the digits, by their places.
    static let letters = Array("abcdefghij")

    /// Returns the key of a byte; `nil` for a byte without one.
    ///
    /// An arrow key or a function key sends an escape sequence (ECMA-48, section 5.4), the last byte of which can be a
    /// letter. It is not a key of the keypad.
    mutating func key(for byte: UInt8) -> Keypad.Key? {
        switch escape {
        case .begun where byte == UInt8(ascii: "["):
            escape = .sequence
            return nil
        case .begun where byte == UInt8(ascii: "O"):
            escape = .last
            return nil
        case .sequence:
            if (0x40...0x7E).contains(byte) { escape = .none }
            return nil
        case .last:
            escape = .none
            return nil
        case .none, .begun: escape = .none
        }
        switch byte {
        case 0x1B:
            escape = .begun
            return nil
        case SecretLine.Key.newline, SecretLine.Key.carriageReturn: return .done
        case SecretLine.Key.backspace, SecretLine.Key.delete: return .delete
        case SecretLine.Key.killLine: return .clear
        default:
            let letter = Character(Unicode.Scalar(byte)).lowercased()
            return Self.letters.firstIndex { String($0) == letter }.map(Keypad.Key.place)
        }
    }
}

/// The screen of a keypad at a terminal: the question, an instruction, four rows of keys, a line for a reason, and the
/// masked entry.
///
/// It is redrawn after each key, because a line that is wider than the terminal takes several rows.
private struct KeypadScreen {
    let question: String
    let texts: PromptCatalog
    let theme: KeypadTheme

    /// The private mode 1049 of xterm, which other terminals also support: the alternate screen is shown, or removed.
    private static let alternateScreen = (shown: "\u{1B}[?1049h", removed: "\u{1B}[?1049l")

    func opened(_ keypad: borrowing Keypad) -> String { Self.alternateScreen.shown + drawn(keypad) }

    static var closed: String { alternateScreen.removed }

    func drawn(_ keypad: borrowing Keypad, fault: PasswordFault? = nil) -> String {
        let instruction = texts.replacing(
            "{done}", by: "Enter", in: texts.replacing("{delete}", by: "Backspace", in: texts[.keypadInstruction]))
        let keys = zip(KeypadKeys.letters, keypad.digits).map { "\($0) \($1)" }
        let rows = stride(from: 0, to: 9, by: 3).map { keys[$0..<$0 + 3].joined(separator: "   ") }
        let reason = fault.map { texts.text(for: .unsuitable($0)) } ?? ""
        let lines = [instruction] + rows + ["      \(keys[9])", reason, keypad.mask(theme)]
        return "\u{1B}[H\u{1B}[J\(question)\n" + lines.map(TerminalText.plain).joined(separator: "\n")
    }
}
