import Dispatch
import Orchestration
import Testing

@Suite(.serialized, .timeLimit(.minutes(20))) struct TerminalQuestionTests {
    let terminal: PseudoTerminal

    init() throws { terminal = try PseudoTerminal() }

    /// Asks on a thread of its own, because the question blocks, and types when it is on the screen.
    private func ask(typing keys: String, limit: Int = 200) async throws -> (shown: String, answer: String) {
        let path = terminal.path
        let answer = Task {
            try await withCheckedThrowingContinuation { continuation in
                DispatchQueue.global().async {
                    continuation.resume(
                        with: Result {
                            let line = try TerminalQuestion.ask("Key: ", limit: limit, path: path)
                            return line.withBytes { span in
                                String(decoding: span.indices.map { span[$0] }, as: UTF8.self)
                            }
                        })
                }
            }
        }
        var shown = await terminal.screen(until: ": ")
        terminal.type(keys)
        let result = await terminal.result(answer)
        shown += await terminal.screen(until: "\n")
        #expect(terminal.isUsual)
        return (shown, try result.get())
    }

    @Test func `a line of the caller's length is read, and nothing of it is shown`() async throws {
        let key = String(repeating: "A7", count: 100)
        let (shown, answer) = try await ask(typing: key + "\r")
        #expect(answer == key)
        #expect(shown == "Key: \n")
        #expect(try await ask(typing: "\r").answer.isEmpty)
    }

    @Test func `a longer line is refused whole and asked again, and a cancel key cancels`() async throws {
        await #expect(throws: UserAuthenticationError.aborted) { _ = try await ask(typing: "12\u{3}") }
        #expect(try await ask(typing: String(repeating: "A", count: 201) + "\r12\r").answer == "12")
        #expect(await terminal.screen(until: ": ") == "The input is longer than 200 bytes.\nKey: ")
    }

    @Test func `without a terminal there is an error`() {
        #expect(throws: OrchestrationError(.inputUnavailable)) {
            _ = try TerminalQuestion.ask("Key: ", limit: 10, path: "/dev/null")
        }
    }
}
