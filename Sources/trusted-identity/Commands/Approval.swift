internal import ArgumentParser
internal import CommandLine
internal import TrustedIdentityServer

/// `approval`: approval requests that wait for a user.
struct Approval: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Show approval requests.", subcommands: [ApprovalShow.self])
}

/// `approval show`: one approval request.
struct ApprovalShow: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show", abstract: "Show an approval request.",
        discussion: """
            With --qr, a pending request is shown as a QR code, which a device of the user opens. The code opens nothing \
            by itself.
            """)

    @OptionGroup var data: DataOption
    @OptionGroup var output: OutputOption

    @Argument(help: "The request id, or the session id that its caller gave.")
    var id: String

    @Option(help: ArgumentHelp("Show the QR code, for a terminal of these colors.", valueName: "colors"))
    var qr: QRCode.TerminalColors?

    func validate() throws {
        guard qr == nil || !output.isJSON else {
            throw ValidationError("--qr shows a picture, which --json cannot hold")
        }
    }

    mutating func run() async throws {
        let approval: PendingApprovalBody = try await Administration(data: data).send(
            .get, "v1/approvals/\(Administration.segment(id))")
        if output.isJSON { return try StandardStream.output.print(json: approval) }
        let rows = [
            ["request", approval.id], ["user", approval.user], ["kind", approval.kind],
            ["created", approval.createdAt], ["expires", approval.expiresAt],
        ]
        StandardStream.output.print(Table(rows).text)
        guard let qr else { return }
        StandardStream.output.print("\n" + (try QRCode(approval.qrText)).terminalText(qr))
    }
}

extension QRCode.TerminalColors: ExpressibleByArgument {}
