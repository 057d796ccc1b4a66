package import ArgumentParser
internal import CLibrary

/// The root command of a program that reports all errors in one form and ends with a documented exit code.
///
/// ArgumentParser's own `main()` prints errors in another form and exits with other codes.
package protocol ReportingCommand: AsyncParsableCommand {
    /// Returns the report of an error, or nil for an unknown error.
    static func report(of error: any Error) -> ErrorReport?
}

extension ReportingCommand {
    /// Parses the arguments, runs the command, and ends the process with its exit code.
    ///
    /// The root command calls this in its own `main()`, which takes precedence over ArgumentParser's `main()`.
    package static func runAndExit() async -> Never {
        endProcess(await run(Array(CommandLine.arguments.dropFirst())))
    }

    private static func run(_ arguments: [String]) async -> ExitStatus {
        do {
            var command = try parseAsRoot(arguments)
            if var command = command as? any AsyncParsableCommand {
                try await command.run()
            } else {
                try command.run()
            }
            if let failure = StandardStream.outputFailure {
                throw ErrorReport(.failed, "the result cannot be written to standard output: \(failure)")
            }
            return .done
        } catch {
            // A request for help or for the version is also thrown as an error.
            if exitCode(for: error) == .success {
                StandardStream.output.print(fullMessage(for: error))
                return .done
            }
            let report =
                error as? ErrorReport ?? Self.report(of: error)
                ?? ErrorReport(parsing: error, in: arguments, for: Self.self)
                // The text of an unknown error could contain a secret; its type cannot.
                ?? ErrorReport(.failed, "failed with an error of type \(type(of: error))")
            report.print(program: configuration.commandName ?? "\(Self.self)")
            return report.status
        }
    }
}

// Inside the extension, `exit` would refer to an ArgumentParser method.
private func endProcess(_ status: ExitStatus) -> Never { exit(status.rawValue) }
