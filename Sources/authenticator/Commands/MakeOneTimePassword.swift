import ArgumentParser
import CommandLine
import Orchestration

/// `otp USER`.
struct MakeOneTimePassword: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "otp",
        abstract: "Make a one-time password.",
        discussion: """
            Works without a network. Only the platform knows whether the password is right: a wrong password makes a \
            code that looks like any other, and the platform refuses it. Compare the host code with the one that the \
            site shows. At a terminal, the time until the code expires is counted down; Ctrl-C ends the countdown.
            """)

    @OptionGroup var argument: UserArgument

    @Option(help: "The crypto application, app1 to app8.")
    var app = Application(.app1)

    @Option(help: ArgumentHelp("The challenge of the site, for applications that answer one.", valueName: "text"))
    var challenge: String?

    @Option(help: "What protects the code: possession, password, or an enrolled method.")
    var method = Protection.password

    @OptionGroup var password: PasswordOptions
    @OptionGroup var options: DeviceOptions

    mutating func run() async throws {
        let orchestrator = try await options.orchestrator(password)
        let flow = orchestrator.oneTimePassword(
            for: argument.user, application: app.index, challenge: challenge, protection: method.method)
        let asJSON = options.json
        let isLive = !asJSON && StandardStream.output.isTerminal
        let clock = SystemTimeSource()
        var end: Duration?
        // The code is printed as soon as it is ready. The flow then synchronizes with the platform, which takes time.
        _ = try await FlowReport.follow(flow) { result in
            let report = OneTimePasswordReport(result)
            if isLive { end = result.expiresIn.map { clock.uptime() + $0 } }
            try StandardStream.output.print(report, asJSON: asJSON, else: report.text(withTime: !isLive))
        }
        guard let end else { return }
        try await Countdown.run(
            for: end - clock.uptime(), uptime: { clock.uptime() }, sleep: { try await clock.sleep(for: $0) },
            show: { seconds in
                let text = seconds > 0 ? Table([("seconds left", "\(seconds)")]).text : "expired"
                StandardStream.output.write(Countdown.line(text))
            })
        StandardStream.output.print("")
    }
}

/// The methods that make a code.
enum Protection: String, ExpressibleByArgument, CaseIterable {
    case possession, password, biometric, face

    var method: AuthenticationMethod {
        switch self {
        case .possession: .possession
        case .password: .password
        case .biometric: .biometric
        case .face: .face
        }
    }
}

/// A crypto application, `app1` to `app8`.
struct Application: ExpressibleByArgument {
    let index: CryptoApplicationIndex

    init(_ index: CryptoApplicationIndex) {
        self.index = index
    }

    init?(argument: String) {
        guard let index = CryptoApplicationIndex.allCases.first(where: { $0.description == argument }) else {
            return nil
        }
        self.index = index
    }

    var defaultValueDescription: String { index.description }

    static var allValueStrings: [String] { CryptoApplicationIndex.allCases.map(\.description) }
}

/// A one-time password with its host code and the remaining time.
private struct OneTimePasswordReport: Encodable {
    let oneTimePassword: String
    let hostCode: String?
    let expiresIn: Int64?

    init(_ result: OneTimePasswordResult) {
        oneTimePassword = result.oneTimePassword
        hostCode = result.hostCode
        expiresIn = result.expiresIn?.components.seconds
    }

    /// Returns the report as a table.
    ///
    /// - Parameter withTime: Whether the remaining time is a row of the table.
    func text(withTime: Bool) -> String {
        var fields = [(name: "one-time password", value: oneTimePassword)]
        if let hostCode { fields.append(("host code", hostCode)) }
        if withTime, let expiresIn { fields.append(("seconds left", "\(expiresIn)")) }
        return Table(fields).text
    }
}
