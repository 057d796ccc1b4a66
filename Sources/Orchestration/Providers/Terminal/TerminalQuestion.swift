package import Primitives

/// A question to the terminal that controls the process, for programs that need a secret outside a flow: a code, a key.
package enum TerminalQuestion {
    /// Asks once and waits for the line, which is not shown. It blocks the thread of the caller.
    ///
    /// - Parameters:
    ///   - question: what is shown before the answer.
    ///   - limit: the longest answer, in bytes.
    ///   - path: the terminal.
    /// - Returns: the line without its end; it may be empty.
    /// - Throws: `inputUnavailable` without a terminal, `inputTooLong`, ``UserAuthenticationError/aborted`` when the
    ///   user gives up.
    package static func ask(_ question: String, limit: Int, path: String = "/dev/tty") throws -> SecretBytes {
        let terminal = try Terminal(path: path)
        let wakeUp: WakeUp
        do { wakeUp = try WakeUp() } catch { throw OrchestrationError(.inputUnavailable, underlying: error) }
        try terminal.show(TerminalText.plain(question))
        defer { try? terminal.show("\n") }
        return try terminal.readSecret(wakeUp, limit: limit)
    }
}
