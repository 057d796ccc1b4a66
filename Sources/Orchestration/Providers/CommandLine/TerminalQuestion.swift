package import Primitives

/// A question at the controlling terminal, for programs that need a secret outside a flow, such as a key.
package enum TerminalQuestion {
    /// Asks once and waits for the line, without echo. After a line that is too long it asks again. It blocks the thread
    /// of the caller.
    ///
    /// - Parameters:
    ///   - question: The text before the answer.
    ///   - limit: The maximum length of an answer, in bytes.
    ///   - path: The path of the terminal.
    /// - Returns: The line without its end; it may be empty.
    /// - Throws: `inputUnavailable` without a terminal, ``UserAuthenticationError/aborted`` when the user cancels.
    package static func ask(_ question: String, limit: Int, path: String = "/dev/tty") throws -> SecretBytes {
        let terminal = try Terminal(path: path)
        let wakeUp: WakeUp
        do { wakeUp = try WakeUp() } catch { throw OrchestrationError(.inputUnavailable, underlying: error) }
        return try terminal.ask(TerminalText.plain(question), wakeUp, limit: limit)
    }
}

/// The conversion of text from outside the program to a form that is harmless for a terminal.
enum TerminalText {
    /// Returns a text with spaces instead of the characters that move the cursor, change colors, are not shown or
    /// change the direction of writing. An approval request could otherwise overwrite the question that the user sees.
    ///
    /// The isolates around a text stay. An isolate ends with its line.
    static func plain(_ text: String) -> String {
        DisplayText.replacingRefused(in: text) {
            [DisplayText.isolate.start, DisplayText.isolate.end].contains($0) ? String($0) : " "
        }
    }
}
