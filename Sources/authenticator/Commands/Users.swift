import ArgumentParser
import CommandLine
import Orchestration

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// `users`: the users of this device.
struct UsersCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "users",
        abstract: "List, show and delete the users of this device.",
        subcommands: [ListUsers.self, ShowUser.self, DeleteUser.self],
        defaultSubcommand: ListUsers.self)
}

/// `users list`.
struct ListUsers: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "list", abstract: "List the users of this device.")

    @OptionGroup var options: DeviceOptions

    mutating func run() async throws {
        let users = try await options.unconnectedOrchestrator().users
        let summaries = try await users.list().map(UserSummary.init)
        let rows = summaries.map { [$0.user, $0.state, $0.deviceID ?? "-"] }
        try StandardStream.output.print(
            summaries, asJSON: options.json,
            else: rows.isEmpty ? "No users." : Table([["USER", "STATE", "DEVICE"]] + rows).text)
    }
}

/// `users show USER`.
struct ShowUser: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show", abstract: "Show what this device stores about a user.")

    @OptionGroup var argument: UserArgument
    @OptionGroup var options: DeviceOptions

    mutating func run() async throws {
        let report = UserReport(try await options.unconnectedOrchestrator().user(argument.user).information)
        try StandardStream.output.print(report, asJSON: options.json, else: report.text)
    }
}

/// `users delete USER`.
struct DeleteUser: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "delete",
        abstract: "Delete a user from this device, and tell the platform if it can be reached.")

    @OptionGroup var argument: UserArgument
    @OptionGroup var options: DeviceOptions

    mutating func run() async throws {
        let warnings = try await options.orchestrator().user(argument.user).delete()
        for warning in warnings { FlowReport.show(warning) }
        try StandardStream.output.print(
            DeletionReport(deleted: argument.user, platformInformed: warnings.isEmpty), asJSON: options.json,
            else: "\(argument.user) is deleted from this device.")
    }
}

/// A row of the list.
private struct UserSummary: Encodable {
    let user: String
    let state: String
    let deviceID: String?

    /// Creates a row. A record that cannot be read is listed by its name in the store, with the code of the error.
    init(_ user: Users.Entry) {
        self.user = user.account?.text ?? user.storeName.text
        deviceID = user.information?.deviceID
        state = user.information?.state.word ?? user.error?.code.description ?? ""
    }
}

/// The result of `users delete --json`.
private struct DeletionReport: Encodable {
    let deleted: String
    let platformInformed: Bool
}

/// The description of a user as this device stores it.
struct UserReport: Encodable {
    private let user: String
    private let state: String
    private let lockReason: String?
    private let deviceID: String
    private let serialNumbers: [String]
    private let applications: [String]
    private let notificationIdentifier: String?
    private let activatedAt: Int64?
    private let isPostQuantum: Bool

    init(_ information: UserInformation) {
        user = information.account.text
        state = information.state.word
        lockReason = information.state.lockReason
        deviceID = information.deviceID
        serialNumbers = information.serialNumbers
        applications = information.applications.map { "\($0.index)" }
        notificationIdentifier = information.notificationIdentifier
        activatedAt = information.activatedAt.map { Int64($0.timeIntervalSince1970.rounded(.down)) }
        isPostQuantum = information.isPostQuantum
    }

    /// The report as a table.
    var text: String {
        Table([
            ("user", user),
            ("state", lockReason.map { "\(state) (\($0))" } ?? state),
            ("device", deviceID),
            ("serial numbers", serialNumbers.joined(separator: ", ")),
            ("applications", applications.joined(separator: ", ")),
            ("notifications", notificationIdentifier ?? "not registered"),
            ("activated at", activatedAt.map(Self.date) ?? "not yet"),
            ("post-quantum", isPostQuantum ? "yes" : "no"),
        ]).text
    }

    /// Returns a date in UTC (RFC 3339).
    private static func date(secondsSinceEpoch seconds: Int64) -> String {
        Date(timeIntervalSince1970: TimeInterval(seconds)).formatted(.iso8601)
    }
}
