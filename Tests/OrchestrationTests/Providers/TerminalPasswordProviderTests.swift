import Foundation
import Orchestration
import Primitives
import Testing

@Suite(.serialized, .timeLimit(.minutes(20))) struct TerminalPasswordProviderTests {
    let terminal: PseudoTerminal
    let provider: TerminalPasswordProvider
    let prompt = Prompt(purpose: .authenticate, method: .password, account: "alice@master")
    let question = "Enter your password (alice@master): "

    init() throws {
        terminal = try PseudoTerminal()
        provider = TerminalPasswordProvider(path: terminal.path)
    }

    /// Asks, and types when the question is on the screen.
    private func ask(
        _ prompt: Prompt? = nil, typing keys: [UInt8], after end: String = ": "
    ) async throws -> (shown: String, secret: String?) {
        let (provider, prompt) = (provider, prompt ?? self.prompt)
        let answer = Task { try await provider.authenticate(prompt) }
        var shown = await terminal.screen(until: end)
        #expect(!terminal.isUsual)
        terminal.type(keys)
        let result = await terminal.result(answer)
        shown += await terminal.screen(until: "\n")
        #expect(terminal.isUsual)
        return (shown, try result.get().text)
    }

    @Test func `a password is read, and nothing of it is shown`() async throws {
        #expect(await provider.availability() == .available)
        let (shown, secret) = try await ask(typing: Array("739105\r".utf8))
        #expect(secret == "739105")
        #expect(shown == question + "\n")
    }

    @Test func `the question shows the reason, the text and the remaining tries`() async throws {
        let prompt = Prompt(
            purpose: .authenticate, method: .password, account: "alice@master",
            rejection: .wrongPassword(remainingTries: 2),
            displayData: "Pay 10 \u{1B}[2Jto\u{202E}Bob\u{200B}!\n\u{2068}Now\u{2069}", remainingTries: 2)
        let (shown, _) = try await ask(prompt, typing: Array("x\n".utf8))
        #expect(
            shown == """
                The password was not accepted. Please try again.
                Pay 10  [2Jto Bob !
                \u{2068}Now\u{2069}
                Enter your password (alice@master, tries left: 2): \n
                """)
    }

    @Test(arguments: [Prompt.Purpose.enroll, .update])
    func `the question for a new password shows its form`(purpose: Prompt.Purpose) async throws {
        for (policy, text) in [
            (PINPolicy(), "6-12 digits"), (PINPolicy(minimumLength: 8, maximumLength: 8), "8 digits"),
            (PINPolicy(minimumLength: 8, maximumLength: 64, digitsOnly: false), "8-64 characters"),
        ] {
            let prompt = Prompt(purpose: purpose, method: .password, account: "alice@master", policy: policy)
            let (shown, _) = try await ask(prompt, typing: Array("x\n".utf8))
            #expect(shown.hasSuffix(" password (alice@master, \(text)): \n"))
        }
    }

    @Test func `the fields that are signed are shown with their labels, each on a line`() async throws {
        let prompt = Prompt(
            purpose: .authenticate, method: .password, account: "alice@master",
            dataFields: [
                DataField(label: "Amount", value: "10 EUR"), DataField(value: "Zoe\u{1B}[2J\nPaid\u{202E}!"),
            ])
        let (shown, _) = try await ask(prompt, typing: Array("x\n".utf8), after: "master): ")
        #expect(
            shown == """
                \u{2068}Amount\u{2069}: \u{2068}10 EUR\u{2069}
                \u{2068}Zoe [2J Paid !\u{2069}
                Enter your password (alice@master): \n
                """)
    }

    @Test func `editing keys change the line`() async throws {
        let keys: [UInt8] =
            Array("wrong".utf8) + [0x15] + Array("73ü".utf8) + [0x7F, 0x08] + Array("9105".utf8) + [0x0A]
        #expect(try await ask(typing: keys).secret == "79105")
    }

    @Test func `an empty line is asked again`() async throws {
        let (provider, prompt) = (provider, prompt)
        let answer = Task { try await provider.authenticate(prompt) }
        _ = await terminal.screen(until: ": ")
        terminal.type("\n")
        _ = await terminal.screen(until: ": ")
        terminal.type("1\n")
        #expect(try await terminal.result(answer).get().text == "1")
        #expect(terminal.isUsual)
    }

    @Test(arguments: [0x03, 0x1C, 0x04] as [UInt8])
    func `keys that cancel end the question and restore the echo`(_ key: UInt8) async throws {
        let before = key == 0x04 ? "" : "739"
        await #expect(throws: UserAuthenticationError.aborted) {
            _ = try await ask(typing: Array(before.utf8) + [key])
        }
        #expect(terminal.isUsual)
    }

    @Test func `128 bytes are read, and a longer line is refused whole and asked again`() async throws {
        let longest = String(repeating: "x", count: 128)
        #expect(try await ask(typing: Array((longest + "\n").utf8)).secret == longest)
        let (provider, prompt) = (provider, prompt)
        let answer = Task { try await provider.authenticate(prompt) }
        _ = await terminal.screen(until: ": ")
        terminal.type(String(repeating: "7", count: 200) + "\n")
        #expect(await terminal.screen(until: ": ") == "\nThe input is longer than 128 bytes.\n" + question)
        terminal.type("1\n")
        #expect(try await terminal.result(answer).get().text == "1")
        #expect(terminal.isUsual)
    }

    @Test func `a canceled question ends at once and restores the echo`() async throws {
        let (provider, prompt) = (provider, prompt)
        let answer = Task { try await provider.authenticate(prompt) }
        _ = await terminal.screen(until: ": ")
        answer.cancel()
        await #expect(throws: CancellationError.self) { try await answer.value }
        #expect(terminal.isUsual)
    }

    @Test func `a task that was canceled before does not ask`() async throws {
        let (provider, prompt) = (provider, prompt)
        let answer = Task {
            unsafe withUnsafeCurrentTask { unsafe $0?.cancel() }
            return try await provider.authenticate(prompt)
        }
        await #expect(throws: CancellationError.self) { try await answer.value }
        #expect(terminal.isUsual)
    }

    @Test func `without a terminal there is an error and no password`() async throws {
        for path in ["/nowhere/tty", "/dev/null"] {
            let provider = TerminalPasswordProvider(path: path)
            #expect(await provider.availability() == .unavailable)
            await #expect(throws: OrchestrationError(.inputUnavailable)) { try await provider.authenticate(prompt) }
        }
    }
}
