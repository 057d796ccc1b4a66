import ArgumentParser
import CommandLineReports
import Orchestration

/// `listen USER`.
struct Listen: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Wait for logins and payments, and decide about each.",
        discussion: """
            Keeps a stream to the platform open, shows each request with the time that is left, and asks for the \
            decision on standard input: 'approve', 'approve NUMBER' with the number that the site shows, 'reject' with \
            notMe, canceled or wrongData, or 'skip'. Ends when it is interrupted, and when the input has no line for a \
            question.
            """)

    @OptionGroup var argument: UserArgument
    @OptionGroup var password: PasswordOptions
    @OptionGroup var options: DeviceOptions

    @Flag(help: "End after the first request.")
    var once = false

    mutating func run() async throws {
        let orchestrator = try await options.orchestrator(password)
        let conversation = Conversation()
        StandardStream.error.print("Waiting for requests of \(argument.user).")
        for try await pointer in orchestrator.notifications(for: argument.user) {
            var hasInput = true
            do {
                let outcome = try await FlowReport.follow(
                    orchestrator.execute(pointer),
                    decide: { request in
                        hasInput = try await conversation.decide(request, asJSON: options.json)
                    })
                try AnsweredApprovalReport.print(outcome, asJSON: options.json, receiptFile: nil)
            } catch {
                // One request that ends otherwise does not end the program. What prevents all of them ends the stream,
                // too.
                let report = error as? ErrorReport ?? Authenticator.report(of: error)
                guard !once, !(error is CancellationError), let report else { throw error }
                report.print(program: "authenticator")
            }
            if once || !hasInput { return }
        }
    }
}
