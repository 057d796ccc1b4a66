import ArgumentParser

/// The root of the command line.
struct Authenticator: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "authenticator",
        abstract: "An authenticator for the command line: activates this device and makes one-time passwords.",
        discussion: """
            Options stand behind the subcommand: authenticator activate alice --platform https://id.example.com

            Secrets are typed at the terminal, or read from an open descriptor (--password-fd, --code-fd) up to the \
            first line end; they are never arguments. Two of these programs may use one store at the same time.

            Exit codes: \(ExitStatus.legend).
            """,
        subcommands: [
            Activate.self, RegisterNotifications.self, MakeOneTimePassword.self, Users.self, OATHCommand.self,
        ])

    /// Parses, runs, and turns whatever is thrown into a message and an exit code.
    static func run(_ arguments: [String]) async -> ExitStatus {
        do {
            var command = try parseAsRoot(arguments)
            if var command = command as? any AsyncParsableCommand {
                try await command.run()
            } else {
                try command.run()
            }
            return .done
        } catch {
            if exitCode(for: error) == .success {  // --help and the like
                print(fullMessage(for: error))
                return .done
            }
            let complaint = Complaint(error)
            complaint.print()
            return complaint.status
        }
    }
}
