import ArgumentParser
import CommandLine
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
        do {
            _ = try await orchestrator.user(argument.user).pendingApprovals()
        } catch let error as OrchestrationError {
            // A permanent error also ends the stream.
            if error.code == .transport {
                let platform = try options.platformAddress()
                StandardStream.error.print(
                    "warning: there is no platform at \(platform); trying again until it can be reached")
            }
        }
        StandardStream.error.print("Waiting for requests of \(argument.user).")
        for try await pointer in orchestrator.notifications(for: argument.user) {
            let hasInput = try await answer(pointer, on: orchestrator, conversation)
            if once || !hasInput { return }
        }
    }

    /// Shows the request of a pointer and answers it. While the platform cannot be reached, the request is fetched again:
    /// a stream names it once.
    ///
    /// - Returns: Whether the input had a line for each question.
    private func answer(
        _ pointer: OrchestrationCommand, on orchestrator: Orchestrator, _ conversation: Conversation
    ) async throws -> Bool {
        var hasInput = true
        var pause = Duration.seconds(1)
        while true {
            do {
                let outcome = try await FlowReport.follow(
                    orchestrator.execute(pointer),
                    decide: { request in
                        hasInput = try await conversation.decide(request, asJSON: options.json)
                    })
                try AnsweredApprovalReport.print(outcome, asJSON: options.json, receiptFile: nil)
                return hasInput
            } catch {
                // A single request that fails does not end the program. An error that prevents all requests also ends
                // the stream.
                let report = error as? ErrorReport ?? Authenticator.report(of: error)
                guard !once, !(error is CancellationError), let report else { throw error }
                report.print(program: "authenticator")
                guard (error as? OrchestrationError)?.code == .transport else { return hasInput }
                try await Task.sleep(for: pause)
                pause = min(pause * 2, .seconds(30))
            }
        }
    }
}
