import ArgumentParser
import CommandLine
import Orchestration
import Primitives

/// The command-line authenticator: an authenticator for terminals and scripts.
@main
struct Authenticator: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "authenticator",
        abstract: "An authenticator for the command line: approves, signs and makes one-time passwords.",
        discussion: """
            Options follow the subcommand: authenticator activate alice --platform https://id.example.com

            Secrets are typed at the terminal or read from an open descriptor (--password-fd, \
            --activation-password-fd, --unlock-code-fd). They are never arguments. Two processes may use one store at \
            the same time.

            Exit codes: 0 done, 1 anything else, such as a user who is not on this device, 2 usage, or an input that \
            the device itself refuses, 3 refused by the platform, or canceled by the user, 4 outdated, 5 transport, \
            6 storage.
            """,
        version: PackageVersion.text,
        subcommands: [
            Activate.self, RegisterNotifications.self, Listen.self, ListApprovals.self, ApproveRequest.self,
            RejectRequest.self, Scan.self, ReceiptCommand.self, MakeOneTimePassword.self, SignTransaction.self,
            SealCommand.self, ChangePassword.self, Unlock.self, Move.self, EnrollMethod.self, RemoveMethod.self,
            Synchronize.self, Watch.self, UsersCommand.self,
            DeviceDataCommand.self, ShowTranscript.self, MakeSalts.self, OATHCommand.self,
        ])

    static func main() async { await runAndExit() }

    static func report(of error: any Error) -> ErrorReport? {
        switch error {
        case let error as OrchestrationError: ErrorReport(error)
        case let error as ReceiptError where error.step == 0:
            ErrorReport(
                .failed, error.message,
                hint: "are they all pages of the platform, and is the fingerprint one of theirs?")
        case let error as ReceiptError:
            ErrorReport(.failed, "the receipt is not valid (step \(error.step)): \(error.message)")
        case is CancellationError: ErrorReport(.refused, "canceled")
        default: nil
        }
    }
}

extension ExitStatus {
    /// The flow is outdated, because its subject has expired.
    static let outdated = Self(rawValue: 4)
    /// The platform cannot be reached, or its answer is not a command.
    static let transport = Self(rawValue: 5)
}
