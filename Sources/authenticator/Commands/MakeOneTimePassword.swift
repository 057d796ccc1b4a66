import ArgumentParser
import Orchestration

/// `otp USER`.
struct MakeOneTimePassword: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "otp",
        abstract: "Make a one-time password.",
        discussion: """
            Works without a network. Whether the password is right is known to the platform alone: a wrong one makes \
            a code that looks like any other and is refused. Compare the host code with the one that the site shows.
            """)

    @OptionGroup var who: UserArgument

    @Option(help: "The crypto application, app1 to app8.")
    var app = Application(.app1)

    @Option(help: ArgumentHelp("The challenge of the site, for applications that answer one.", valueName: "text"))
    var challenge: String?

    @Option(help: "What protects the code: possession or password.")
    var method = Protection.password

    @OptionGroup var password: PasswordOptions
    @OptionGroup var options: GlobalOptions

    mutating func run() async throws {
        let orchestrator = try await options.orchestrator(passwordDescriptor: password.passwordFd)
        let flow = orchestrator.authenticateLocally(
            .init(user: who.user, application: app.index, challenge: challenge, protection: method.method))
        let asJSON = options.json
        // The code is printed as soon as there is one; what follows is housekeeping over the network.
        _ = try await FlowReport.follow(flow) { code in
            let report = OneTimePasswordReport(code)
            StandardOutput.line(asJSON ? try JSONReport.text(report) : report.text)
        }
    }
}

/// The methods that a terminal can offer.
enum Protection: String, ExpressibleByArgument, CaseIterable {
    case possession, password

    var method: AuthenticationMethod {
        switch self {
        case .possession: .possession
        case .password: .password
        }
    }
}

/// A crypto application as the command line names it.
struct Application: ExpressibleByArgument {
    let index: CryptoApplicationIndex

    init(_ index: CryptoApplicationIndex) {
        self.index = index
    }

    /// Reads `app1` to `app8`.
    init?(argument: String) {
        guard let index = CryptoApplicationIndex.allCases.first(where: { $0.description == argument }) else {
            return nil
        }
        self.index = index
    }

    var defaultValueDescription: String { index.description }

    static var allValueStrings: [String] { CryptoApplicationIndex.allCases.map(\.description) }
}
