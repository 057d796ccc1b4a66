import OrchestrationTesting
import Primitives
import Testing

@testable import Orchestration

@Suite(.serialized, .timeLimit(.minutes(20))) struct TerminalKeypadProviderTests {
    let terminal: PseudoTerminal
    let provider: TerminalKeypadProvider
    let layout: KeypadLayout
    let prompt = Prompt(
        purpose: .authenticate, method: .password, account: "alice@master",
        policy: PINPolicy(
            minimumLength: 4, maximumLength: 6))

    init() throws {
        terminal = try PseudoTerminal()
        // The screen of the test shows bytes, not characters.
        var theme = KeypadTheme()
        (theme.inputEmptyCharacter, theme.inputFullCharacter) = ("-", "*")
        provider = TerminalKeypadProvider(path: terminal.path, theme: theme, random: SeededRandomSource(seed: 11))
        layout = KeypadLayout(random: SeededRandomSource(seed: 11))
    }

    private static let empty = "------"
    private static let closed = "\u{1B}[?1049l"

    /// Asks, and types when the keypad is on the screen.
    private func ask(
        _ prompt: Prompt? = nil, typing keys: [UInt8], until end: String = closed
    ) async throws -> (opened: String, then: String, secret: String?) {
        let (provider, prompt) = (provider, prompt ?? self.prompt)
        let answer = Task { try await provider.authenticate(prompt) }
        let opened = await terminal.screen(until: Self.empty)
        #expect(!terminal.isUsual)
        terminal.type(keys)
        let result = await terminal.result(answer)
        let then = await terminal.screen(until: end)
        #expect(terminal.isUsual)
        return (opened, then, try result.get().text)
    }

    /// The letters beside digits.
    private func letters(_ digits: String) throws -> [UInt8] {
        try digits.map { digit in
            let place = try #require(layout.digits.firstIndex(of: digit.wholeNumberValue ?? -1))
            return UInt8(ascii: "a") + UInt8(place)
        }
    }

    @Test func `the screen shows the digits at random places, and the letters beside them are typed`() async throws {
        let (opened, then, secret) = try await ask(typing: letters("73910") + [0x0D])
        #expect(secret == "73910")
        let digits = layout.digits
        #expect(opened == "\u{1B}[?1049h" + screen(Self.empty))
        #expect(digits != [1, 2, 3, 4, 5, 6, 7, 8, 9, 0])
        // One character more is full with each letter, and the screen with the keypad is removed at the end.
        let masks = (1...5).map { String(repeating: "*", count: $0) + String(repeating: "-", count: 6 - $0) }
        #expect(then == masks.map { screen($0) }.joined() + Self.closed)
    }

    /// What is shown with a masked entry.
    private func screen(_ mask: String) -> String {
        let digits = layout.digits
        return "\u{1B}[H\u{1B}[J" + """
            Enter your password (alice@master):\u{20}
            Type the letter beside each digit. Backspace deletes, Enter ends the entry.
            a \(digits[0])   b \(digits[1])   c \(digits[2])
            d \(digits[3])   e \(digits[4])   f \(digits[5])
            g \(digits[6])   h \(digits[7])   i \(digits[8])
                  j \(digits[9])

            \(mask)
            """
    }

    @Test func `keys delete, digits and arrow keys have no effect, and capital letters count`() async throws {
        let arrow: [UInt8] = [0x1B, 0x5B, 0x41]
        let function: [UInt8] = [0x1B, 0x4F, 0x44]
        let capital = try letters("4").map { $0 - 0x20 }
        let keys =
            try letters("99") + [0x15] + letters("48") + [0x7F] + Array("739".utf8) + arrow + function + [0x1B]
            + letters("82") + capital + [0x0A]
        #expect(try await ask(typing: keys).secret == "4824")
    }

    @Test func `an entry with too few digits goes on, and one with too many is not taken`() async throws {
        let (_, then, secret) = try await ask(typing: letters("482") + [0x0D] + letters("9157") + [0x0D])
        #expect(secret == "482915")
        #expect(then.contains("The password is too short. Please enter at least 4 characters.\n***---"))
    }

    @Test(arguments: [0x03, 0x1C, 0x04] as [UInt8])
    func `keys that cancel end the question and restore the echo`(_ key: UInt8) async throws {
        let before = key == 0x04 ? [] : try letters("739")
        await #expect(throws: UserAuthenticationError.aborted) { _ = try await ask(typing: before + [key]) }
        #expect(terminal.isUsual)
    }

    @Test func `a canceled question ends at once and removes the keypad`() async throws {
        let (provider, prompt) = (provider, prompt)
        let answer = Task { try await provider.authenticate(prompt) }
        _ = await terminal.screen(until: Self.empty)
        answer.cancel()
        await #expect(throws: CancellationError.self) { try await answer.value }
        #expect(await terminal.screen(until: Self.closed) == Self.closed)
        #expect(terminal.isUsual)
    }

    @Test func `a password that is not of digits is typed as it is`() async throws {
        var prompt = prompt
        prompt.policy = PINPolicy(minimumLength: 4, maximumLength: 64, digitsOnly: false)
        let (provider, question) = (provider, prompt)
        let answer = Task { try await provider.authenticate(question) }
        #expect(await terminal.screen(until: ": ") == "Enter your password (alice@master): ")
        terminal.type("correct horse\n")
        #expect(try await terminal.result(answer).get().text == "correct horse")
    }

    @Test func `without a terminal there is an error and no password`() async throws {
        for path in ["/nowhere/tty", "/dev/null"] {
            let provider = TerminalKeypadProvider(path: path, random: SystemRandomSource())
            #expect(await provider.availability() == .unavailable)
            await #expect(throws: OrchestrationError(.inputUnavailable)) { try await provider.authenticate(prompt) }
        }
    }
}
