/// Asks for passwords at the terminal that controls the process, without echo.
///
/// It opens `/dev/tty`, so that redirected input and output do not matter. What is typed is read key by key into memory
/// that is wiped, at most 128 bytes; backspace and Ctrl-U edit, Ctrl-C, Ctrl-\ and Ctrl-D on an empty line give up. The
/// echo comes back on every way out, that of a canceled task included; a process that is killed from outside in the
/// middle of a question leaves it off (`stty sane` brings it back). Questions of one process come one after another
/// when one flow asks; two flows must not ask at once. Characters beyond ASCII are taken as the terminal sends them.
public struct TerminalPasswordProvider: UserAuthenticationProvider {
    private let path: String

    /// Makes a provider for the terminal that controls the process.
    public init() {
        self.init(path: "/dev/tty")
    }

    package init(path: String) {
        self.path = path
    }

    /// The password.
    public var method: AuthenticationMethod { .password }

    /// Available where the process has a terminal.
    public func availability() async -> Availability {
        Terminal.exists(path: path) ? .available : .unavailable
    }

    /// Asks once; an empty line is asked again.
    ///
    /// - Throws: `inputUnavailable` without a terminal, `inputTooLong` above 128 bytes,
    ///   ``UserAuthenticationError/aborted`` when the user gives up, `CancellationError` when the task is canceled.
    public func authenticate(_ prompt: Prompt) async throws -> UserInput {
        let (path, question) = (path, Self.question(prompt))
        return try await BlockingRead.run { wakeUp in
            let terminal = try Terminal(path: path)
            while true {
                try terminal.show(question)
                defer { try? terminal.show("\n") }
                let secret = try terminal.readSecret(wakeUp)
                if !secret.isEmpty { return UserInput(secret) }
            }
        }
    }

    private static func question(_ prompt: Prompt) -> String {
        var lines: [String] = []
        if let text = prompt.rejectionText { lines.append(text) }
        if let text = prompt.displayData { lines.append(text) }
        var notes = [prompt.account]
        if let tries = prompt.remainingTries { notes.append("\(tries) tries left") }
        lines.append("\(prompt.text) (\(notes.joined(separator: ", "))): ")
        return lines.map(TerminalText.plain).joined(separator: "\n")
    }
}
