import ArgumentParser
import CLibrary
import CommandLine
import Orchestration
import Primitives

/// `approvals USER`.
struct ListApprovals: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "approvals", abstract: "List the logins and payments that wait for an answer.",
        discussion: """
            Also lists those that 'listen' does not bring, because the platform has announced many lately or the user has \
            rejected one. The list has the id and the kind of each one. 'approve' and 'scan' show the same id, and what \
            the request is about. With --qr, each is shown as a QR code for another device of the user, which opens it \
            with 'scan'.
            """)

    @OptionGroup var argument: UserArgument

    @Option(help: ArgumentHelp("Show the QR code of each one, for a terminal of these colors.", valueName: "colors"))
    var qr: QRCode.TerminalColors?

    @OptionGroup var options: DeviceOptions

    func validate() throws {
        guard qr == nil || !options.json else { throw ValidationError("--qr shows pictures, which --json cannot hold") }
    }

    mutating func run() async throws {
        let approvals = try await options.orchestrator().user(argument.user).pendingApprovals()
        let reports = approvals.map(PendingApprovalReport.init)
        if options.json {
            try StandardStream.output.print(json: reports)
        } else if reports.isEmpty {
            StandardStream.output.print("Nothing waits.")
        } else {
            let rows = reports.map { [$0.id, $0.kind, "\($0.secondsLeft)", $0.isAnnounced ? "yes" : "no"] }
            StandardStream.output.print(Table([["ID", "KIND", "SECONDS LEFT", "ANNOUNCED"]] + rows).text)
            for approval in approvals {
                guard let qr else { break }
                let code = try QRCode(approval.pointer.qrText)
                StandardStream.output.print("\n\(approval.id)\n\(code.terminalText(qr))")
            }
        }
    }
}

extension QRCode.TerminalColors: ExpressibleByArgument {}

/// `approve USER [REQUEST]`.
struct ApproveRequest: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "approve",
        abstract: "Approve a login or payment that waits.",
        discussion: "Shows the request before it asks for the password. See 'authenticator approvals' for what waits.")

    @OptionGroup var selection: ApprovalSelection
    @OptionGroup var receipt: ReceiptOption
    @OptionGroup var password: PasswordOptions
    @OptionGroup var options: DeviceOptions

    @Option(help: ArgumentHelp("The number that the site shows.", valueName: "digits"))
    var number: String?

    mutating func run() async throws {
        let number = number
        try await selection.answer(options, password, receipt) { request in
            guard request.digits == 0 || number != nil else {
                throw ErrorReport(
                    .usage, "the request asks for the number of \(request.digits) digits that the site shows",
                    hint: "give it with --number")
            }
            try await request.approve(number: number)
        }
    }
}

/// `reject USER [REQUEST]`.
struct RejectRequest: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "reject", abstract: "Reject a login or payment that waits.",
        discussion: """
            A rejection needs no password where the platform asks for none. With --with-password it proves that the user \
            rejects: with the reason notMe, the platform then refuses unknown sources for a day.
            """)

    @OptionGroup var selection: ApprovalSelection
    @OptionGroup var receipt: ReceiptOption
    @OptionGroup var password: PasswordOptions
    @OptionGroup var options: DeviceOptions

    @Option(help: "Why: notMe, canceled or wrongData.")
    var reason: Reason

    @Flag(help: "Ask for the password also where possession is enough.")
    var withPassword = false

    mutating func run() async throws {
        let (reason, method) = (reason.reason, withPassword ? AuthenticationMethod.password : nil)
        try await selection.answer(options, password, receipt) { try await $0.reject(reason, by: method) }
    }
}

/// The user and the request of a command.
struct ApprovalSelection: ParsableArguments {
    @OptionGroup var argument: UserArgument

    @Argument(help: "The id of the request; not needed where only one waits.")
    var request: String?

    /// Opens the request, shows it, decides, and prints the result.
    func answer(
        _ options: DeviceOptions, _ password: PasswordOptions, _ receipt: ReceiptOption,
        deciding decide: (ApprovalRequest) async throws -> Void
    ) async throws {
        let orchestrator = try await options.orchestrator(password)
        let id = try await id(orchestrator)
        let flow = orchestrator.openApproval(id, for: argument.user)
        let outcome = try await FlowReport.follow(
            flow,
            decide: { request in
                StandardStream.error.print(ApprovalReport(request).text)
                try await decide(request)
            })
        try AnsweredApprovalReport.print(outcome, asJSON: options.json, receiptFile: receipt.receipt)
    }

    /// Returns the given id, or the id of the only pending request.
    private func id(_ orchestrator: Orchestrator) async throws -> ApprovalID {
        if let request {
            // A pasted id may have white space around it.
            guard let id = ApprovalID(text: TypedDigits.of(request)) else {
                throw ErrorReport(
                    .usage, "'\(request)' is not the id of a request", hint: "see 'authenticator approvals'")
            }
            return id
        }
        let waiting = try await orchestrator.user(argument.user).pendingApprovals()
        guard let first = waiting.first else { throw ErrorReport(.outdated, "nothing waits for an answer") }
        guard waiting.count == 1 else {
            throw ErrorReport(
                .usage, "\(waiting.count) requests wait; name one of them", hint: "see 'authenticator approvals'")
        }
        return first.id
    }
}

/// The file for a receipt.
struct ReceiptOption: ParsableArguments {
    @Option(help: ArgumentHelp("Write the receipt to this file, which must not exist.", valueName: "file"))
    var receipt: String?

    /// Refuses an existing file before anything is sent: a decision is final, and its receipt would be lost.
    func validate() throws {
        guard let receipt, unsafe access(receipt, F_OK) == 0 else { return }
        throw ValidationError("the file '\(receipt)' of --receipt exists already")
    }
}

/// A reason for a rejection.
enum Reason: String, ExpressibleByArgument, CaseIterable {
    case notMe, canceled, wrongData

    var reason: RejectionReason {
        switch self {
        case .notMe: .notMe
        case .canceled: .canceled
        case .wrongData: .wrongData
        }
    }
}
