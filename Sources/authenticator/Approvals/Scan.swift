import ArgumentParser
import CommandLine
import Orchestration

/// `scan [FILE]`.
struct Scan: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Open the login or payment of a QR code or link.",
        discussion: """
            Reads one line with a pointer, as base64url, hexadecimal digits or the text of a QR code, from a file or \
            from standard input. Then asks for the decision on standard input, as 'listen' does.
            """)

    @Argument(help: "The file with the pointer. Default: the first line of standard input.")
    var file: String?

    @OptionGroup var receipt: ReceiptOption
    @OptionGroup var password: PasswordOptions
    @OptionGroup var options: DeviceOptions

    mutating func run() async throws {
        let conversation = Conversation()
        let command = try Self.command(try await text(conversation))
        let orchestrator = try await options.orchestrator(password)
        let asJSON = options.json
        let outcome = try await FlowReport.follow(
            orchestrator.execute(command),
            decide: { request in
                _ = try await conversation.decide(request, asJSON: asJSON)
            })
        try AnsweredApprovalReport.print(outcome, asJSON: asJSON, receiptFile: receipt.receipt)
    }

    private func text(_ conversation: Conversation) async throws -> String {
        let text: String?
        if let file {
            let bytes = try ReceiptFile.read(file, limit: 2 * OrchestrationCommand.maximumByteCount + 2)
            text = String(validating: bytes, as: UTF8.self)
        } else {
            text = try await conversation.line()
        }
        // The text of a QR code may contain spaces, but not at its ends.
        var line = (text ?? "").drop(while: \.isWhitespace).prefix { !$0.isNewline }
        while let last = line.last, last.isWhitespace { line.removeLast() }
        return String(line)
    }

    /// Returns the command of any text form. A command in base64url or hexadecimal is never also a command in Base45,
    /// because the first byte of a command results in other characters.
    private static func command(_ text: String) throws -> OrchestrationCommand {
        if let command = try? OrchestrationCommand(text: text) { return command }
        if let command = try? OrchestrationCommand(qrText: text) { return command }
        throw ErrorReport(
            .usage, "the text is not a command", hint: "one line of base64url, hexadecimal digits or Base45")
    }
}
