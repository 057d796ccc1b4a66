/// A provider that asks for passwords at the controlling terminal, without echo.
///
/// It opens `/dev/tty`, which means that redirected input and output have no effect. It reads key by key into memory
/// that is wiped, at most 128 bytes. Backspace and Ctrl-U edit; Ctrl-C, Ctrl-\ and Ctrl-D on an empty line cancel. The
/// echo is restored at every end of a question, also when the task is canceled, and when SIGHUP, SIGINT or SIGTERM ends
/// the process. The handlers of these signals stay until the process ends; a signal that the program handles or ignores
/// itself is not changed, and the program must cancel the task. A process that SIGKILL or a crash ends during a
/// question leaves the echo off; `stty sane` restores it. Two flows must not ask at the same time. Non-ASCII characters
/// are used as the terminal sends them.
public struct TerminalPasswordProvider: PasswordProvider {
    private let path: String

    /// Creates a provider for the controlling terminal.
    public init() {
        self.init(path: "/dev/tty")
    }

    package init(path: String) {
        self.path = path
    }

    /// Returns `available` where the process has a terminal.
    public func availability() async -> Availability {
        Terminal.exists(path: path) ? .available : .unavailable
    }

    /// Asks once. After an empty line, and after one above 128 bytes, it asks again.
    ///
    /// - Parameter prompt: The question.
    /// - Returns: The password.
    /// - Throws: `inputUnavailable` without a terminal; ``UserAuthenticationError/aborted`` when the user cancels;
    ///   `CancellationError` when the task is canceled.
    public func authenticate(_ prompt: Prompt) async throws -> UserInput {
        let (path, question) = (path, Self.question(prompt))
        return try await BlockingRead.run { wakeUp in
            let terminal = try Terminal(path: path)
            while true {
                let secret = try terminal.ask(question, wakeUp)
                if !secret.isEmpty { return UserInput(secret) }
            }
        }
    }

    /// Returns the lines of a question. The last one ends with a colon and a space.
    static func question(_ prompt: Prompt) -> String {
        var lines: [String] = []
        if let text = prompt.rejectionText { lines.append(text) }
        // The fields of an approval request, each on a line. No field has a line break.
        lines += prompt.displayData?.split(separator: "\n").map(String.init) ?? []
        lines += prompt.dataFields.map(\.displayed)
        var notes = [prompt.account]
        if let policy = prompt.policyText { notes.append(policy) }
        if let tries = prompt.remainingTriesText { notes.append(tries) }
        lines.append("\(prompt.text) (\(notes.joined(separator: ", "))): ")
        return lines.map(TerminalText.plain).joined(separator: "\n")
    }
}
