import ArgumentParser
import CommandLine
import Orchestration

/// `register-notifications USER`.
struct RegisterNotifications: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Register the address for notifications, which finishes an activation.",
        discussion: """
            Without --identifier, it is the platform's own notification channel. This program receives nothing from a \
            push service: with --identifier and --kind it registers the identifier of another app, for a test of the \
            platform's gateways.
            """)

    /// The push service of an identifier: the scheme that chooses the gateway of the platform.
    enum Kind: String, ExpressibleByArgument, CaseIterable {
        case apns, fcm, webhook
        case webPush = "web-push"
    }

    @OptionGroup var argument: UserArgument

    @Option(help: ArgumentHelp("The identifier that the push service has issued.", valueName: "token"))
    var identifier: String?

    @Option(help: "The push service that has issued the identifier: apns, fcm, web-push or webhook.")
    var kind: Kind?

    @Option(help: ArgumentHelp("The id of the app, at a platform with further apps.", valueName: "id"))
    var app: String?

    @OptionGroup var options: DeviceOptions

    mutating func validate() throws {
        guard (identifier == nil) == (kind == nil) else {
            throw ValidationError("--identifier and --kind belong together")
        }
        guard app == nil || kind == .apns || kind == .fcm else {
            throw ValidationError("--app needs --kind apns or --kind fcm")
        }
    }

    mutating func run() async throws {
        let orchestrator = try await options.orchestrator()
        let flow = orchestrator.registerNotifications(for: argument.user, identifier: notificationIdentifier)
        guard case .notificationsRegistered(let user) = try await FlowReport.follow(flow) else { return }
        try StandardStream.output.print(
            UserReport(user), asJSON: options.json, else: "Notifications are registered for \(user.account.text).")
    }

    private var notificationIdentifier: NotificationIdentifier {
        guard let identifier, let kind else { return .pullChannel }
        return .push("\(kind.rawValue)\(app.map { "-\($0)" } ?? ""):\(identifier)")
    }
}
