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
    @OptionGroup var password: PasswordOptions
    @OptionGroup var options: DeviceOptions

    mutating func run() async throws {
        let orchestrator = try await options.orchestrator(password)
        guard case .moveBegun(let move) = try await FlowReport.follow(orchestrator.move(argument.user)) else { return }
        let report = MoveReport(move)
        if options.json {
            try StandardStream.output.print(json: report)
        } else {
            StandardStream.output.print(
                Table([("activation password", report.activationPassword), ("expires", report.expiresAt)]).text)
        }
    }
}

/// The activation password of a move, and its end.
private struct MoveReport: Encodable {
    let activationPassword: String
    let expiresAt: String

    init(_ move: DeviceMove) {
        activationPassword = move.activationPassword
        expiresAt = move.expiresAt.formatted(.iso8601)
    }
}
