import CLibrary
import CommandLine
import Orchestration

/// The questions about approval requests, on standard input and standard error.
///
/// At a terminal the remaining time counts down. Input that was typed before a request is discarded there, because a
/// line for one request must not decide the next one. Without a terminal the output is whole lines, and each question
/// reads one line.
struct Conversation: Sendable {
    private let lines = InputLines()
    private let isInteractive = isatty(0) == 1 && isatty(2) == 1

    /// Reads a line that is not a decision, for example a pointer.
    ///
    /// - Returns: `nil` at the end of the input.
    func line() async throws -> String? { try await lines.next() }

    /// Shows a request, asks for the decision, and answers. It asks until the decision is made, the input ends or the
    /// time is over.
    ///
    /// - Returns: Whether there is more input.
    /// - Throws: The errors of the answer.
    func decide(_ request: ApprovalRequest, asJSON: Bool) async throws -> Bool {
        if asJSON {
            try StandardStream.output.print(json: ApprovalReport(request))
        } else {
            StandardStream.error.print(ApprovalReport(request).text)
        }
        if isInteractive { tcflush(0, TCIFLUSH) }
        while true {
            ask(request)
            switch try await answer(until: request) {
            case .over:
                if isInteractive { StandardStream.error.print("") }
                return true
            case .end:
                if isInteractive { StandardStream.error.print("") }
                return false
            case .line(let line):
                guard let decision = Decision(line) else {
                    StandardStream.error.print("Please answer approve, reject with a reason, or skip.")
                    continue
                }
                do {
                    try await decision.apply(to: request)
                    return true
                } catch let error as OrchestrationError where error.code == .invalidNumber(digits: request.digits) {
                    StandardStream.error.print("\(error.message).")
                }
            }
        }
    }

    private enum Answer: Sendable {
        case line(String)
        /// The input has ended.
        case end
        /// The time of the request is over.
        case over
    }

    /// Asks for the decision. At a terminal, the line above the question shows the remaining time.
    private func ask(_ request: ApprovalRequest) {
        let approve = request.digits > 0 ? "approve NUMBER" : "approve"
        let question = "\(approve), reject notMe|canceled|wrongData, or skip:"
        if isInteractive {
            StandardStream.error.write("\(Self.time(request.timeLeft))\n\(question) ")
        } else {
            StandardStream.error.print(question)
        }
    }

    /// Waits for a line, with a countdown.
    private func answer(until request: ApprovalRequest) async throws -> Answer {
        let (lines, isInteractive) = (lines, isInteractive)
        return try await withThrowingTaskGroup(of: Answer?.self) { group in
            group.addTask { try await lines.next().map(Answer.line) ?? .end }
            group.addTask {
                for await left in request.countdown where isInteractive {
                    // Saves the cursor, rewrites the line above, and restores the cursor.
                    StandardStream.error.write("\u{1B}7\u{1B}[A\r\u{1B}[K\(Self.time(left))\u{1B}8")
                }
                return Task.isCancelled ? nil : .over
            }
            defer { group.cancelAll() }
            while let answer = try await group.next() {
                if let answer { return answer }
            }
            return .end
        }
    }

    private static func time(_ left: Duration) -> String {
        "\(Int64((left / .seconds(1)).rounded(.up))) s left"
    }
}

/// A decision, as typed.
private enum Decision {
    case approve(number: String?)
    case reject(RejectionReason)
    case skip

    /// Returns `nil` for any other line.
    init?(_ line: String) {
        let words = line.split(separator: " ").map(String.init)
        switch (words.first, words.count) {
        case ("approve", 1): self = .approve(number: nil)
        // A site may show the number in groups.
        case ("approve", 2...): self = .approve(number: words.dropFirst().joined())
        case ("reject", 2):
            guard let reason = Reason(rawValue: words[1]) else { return nil }
            self = .reject(reason.reason)
        case ("skip", 1): self = .skip
        default: return nil
        }
    }

    func apply(to request: ApprovalRequest) async throws {
        switch self {
        case .approve(let number): try await request.approve(number: number)
        case .reject(let reason): try await request.reject(reason)
        case .skip: break
        }
    }
}
