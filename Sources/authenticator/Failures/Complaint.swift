import ArgumentParser
import Orchestration
import OrchestrationHTTP

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// What goes to standard error when a command fails, and the exit code that goes with it.
struct Complaint {
    let status: ExitStatus
    private let message: String
    private let hint: String?

    init(_ error: any Error) {
        switch error {
        case let failure as CommandFailure:
            self.init(failure)
        case let code as ExitCode where code.rawValue == ExitStatus.refused.rawValue:
            self.init(CommandFailure(AbortCause.user))
        case let error as OrchestrationError:
            self.init(CommandFailure(error))
        case is CancellationError:
            self.init(CommandFailure(.refused, "canceled"))
        case _ where Authenticator.exitCode(for: error) == .validationFailure:
            self.init(
                CommandFailure(.usage, Authenticator.message(for: error), hint: "see 'authenticator --help'"))
        default:
            self.init(CommandFailure(.failed, "failed with an error of type \(type(of: error))"))
        }
    }

    private init(_ failure: CommandFailure) {
        status = failure.status
        message = failure.message
        hint = failure.hint
    }

    /// Prints the program's name and the message in lower case, and the hint on a line of its own.
    func print() {
        Self.note("authenticator: \(message.prefix(1).lowercased())\(message.dropFirst())")
        if let hint { Self.note("hint: \(hint)") }
    }

    /// Writes a line to standard error, which is also where progress goes: standard output is for results.
    static func note(_ line: String) {
        // Nobody is left to be told when standard error is closed.
        let bytes = Array((line + "\n").utf8)
        _ = unsafe bytes.withUnsafeBytes { unsafe write(STDERR_FILENO, $0.baseAddress, $0.count) }
    }
}
