import ArgumentParser
import CommandLine
import Foundation
import Orchestration

/// `move USER`.
struct Move: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Move a user from this device to another one.",
        discussion: """
            Asks for the password and prints an activation password for the new device. When the new device is \
            activated with it, the platform revokes this one. Until then this device works. A second move replaces \
            the activation password.
            """)

    @OptionGroup var argument: UserArgument
    @Option(
        help: ArgumentHelp(
            "Print the activation link as a QR code for a terminal of these colors.", valueName: "colors"))
    var qr: QRCode.TerminalColors?

    @OptionGroup var password: PasswordOptions
    @OptionGroup var options: DeviceOptions

    mutating func run() async throws {
        let orchestrator = try await options.orchestrator(password)
        guard case .moveBegun(let move) = try await FlowReport.follow(orchestrator.move(argument.user)) else { return }
        let report = MoveReport(move)
        if options.json {
            try StandardStream.output.print(json: report)
        } else {
            StandardStream.output.print(Table(report.fields).text)
            if let qr, let link = move.activationLink {
                StandardStream.output.print("\n\(try QRCode(link.text).terminalText(qr))")
            }
        }
    }
}

/// The activation password of a move, and its end.
private struct MoveReport: Encodable {
    let activationPassword: String
    let expiresAt: String
    let activationLink: String?

    /// The report as a table.
    var fields: [(name: String, value: String)] {
        let fields = [(name: "activation password", value: activationPassword), ("expires", expiresAt)]
        return fields + (activationLink.map { [("activation link", $0)] } ?? [])
    }

    init(_ move: DeviceMove) {
        activationPassword = move.activationPassword
        expiresAt = move.expiresAt.formatted(.iso8601)
        activationLink = move.activationLink?.text
    }
}
