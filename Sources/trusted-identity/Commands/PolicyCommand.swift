// Public, because the conformance of a public type is public, also in a program.
public import ArgumentParser
internal import CommandLine
public import TrustedIdentity
internal import TrustedIdentityServer

/// `policy`: policy files.
struct PolicyCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "policy", abstract: "Check policy files, and explain their decisions.",
        subcommands: [PolicyCheck.self, PolicyExplain.self, PolicyPrint.self])

    /// Reads a policy file. Prints each problem and each warning on a separate line, as `FILE:LINE:COLUMN: MESSAGE`.
    static func policy(in path: String) throws(ErrorReport) -> Policy {
        let text = try InputFile.text(path, limit: PolicyFile.maximumBytes)
        do throws(PolicyFileError) {
            let content = try PolicyText(text)
            for warning in content.warnings {
                StandardStream.error.print("\(path):\(warning.line):\(warning.column): warning: \(warning.message)")
            }
            return content.policy
        } catch {
            for problem in error.problems { StandardStream.error.print("\(path):\(problem)") }
            let count = error.problems.count
            throw ErrorReport(
                .usage, "the policy file has \(count == 1 ? "1 problem" : "\(count) problems")",
                hint: "trusted-identity policy check FILE checks it again")
        }
    }

    /// Reads a policy file for a running server. The text of an error contains all problems on one line, for the log.
    static func reload(_ path: String) throws(ConfiguredFileError) -> PolicyText {
        do {
            return try PolicyText(try InputFile.text(path, limit: PolicyFile.maximumBytes))
        } catch let error as PolicyFileError {
            throw ConfiguredFileError(error.problems.map { "\(path):\($0)" }.joined(separator: "; "))
        } catch {
            throw ConfiguredFileError((error as? ErrorReport)?.message ?? "cannot read \(path)")
        }
    }
}

/// `policy check`: checks a policy file.
struct PolicyCheck: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check", abstract: "Check a policy file. Problems and warnings are printed with line and column.")

    @OptionGroup var output: OutputOption

    @Argument(help: "The policy file, or - for standard input.")
    var file: String

    mutating func run() async throws {
        let report = Report(try PolicyCommand.policy(in: file))
        try StandardStream.output.print(
            report, asJSON: output.isJSON,
            else: Table([
                ("policy", report.policy), ("login rules", "\(report.logins)"),
                ("transaction rules", "\(report.transactions)"),
                ("event rules", report.events.map(String.init) ?? "those of logins"),
            ]).text)
    }

    private struct Report: Encodable {
        let policy: String
        let logins: Int
        let transactions: Int
        let events: Int?

        init(_ policy: Policy) {
            self.policy = policy.name
            logins = policy.logins.rules.count
            transactions = policy.transactions.rules.count
            events = policy.events?.rules.count
        }
    }
}

/// `policy print`: prints the default policy.
struct PolicyPrint: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "print", abstract: "Print the default policy, as a file to change.",
        discussion: "The platform uses it when no policy file is named.")

    func run() { StandardStream.output.print(String(PolicyFile.standard.dropLast())) }
}

/// `policy explain`: decides on a request without a platform.
struct PolicyExplain: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "explain", abstract: "Show what a policy decides on a login, a transaction or an event.",
        discussion: """
            The body is that of a request of the REST API. What a body does not say is given by options: without them \
            the site shows no numbers, and nothing about the account is known.
            """)

    @OptionGroup var output: OutputOption

    @Option(help: "The policy file. The documented default without it.")
    var policy: String?

    @Flag(help: "The site of the API key shows numbers.")
    var showsNumbers = false

    @Flag(help: "The source has logged in to the account before.")
    var knownSource = false

    @Flag(help: "The account has paid the creditor before.")
    var knownCreditor = false

    @Flag(help: "The account has used the browser before.")
    var knownBrowser = false

    @Option(help: "The time since the latest device of the account was activated: '90s', '10m', '1h' or '7d'.")
    var deviceAge: Age?

    @Option(help: "The method of the key that made a typed code or signature: password without this option.")
    var codeMethod: AuthenticationMethod?

    @Option(help: "The number of payments by possession since the last strong approval, 0 to 1000.")
    var smallPayments = 0

    @Option(help: "The sum of these payments, for example '40 EUR'.")
    var smallSum: SmallSum?

    @Option(help: "The number of rejections by the password just now, 0 to 16.")
    var rejections = 0

    @Flag(help: "The user has just rejected a request as not the user's, by the password.")
    var notMe = false

    @Argument(help: "The file with the body as JSON, or - for standard input.")
    var body: String

    mutating func validate() throws {
        guard (0...1_000).contains(smallPayments) else { throw ValidationError("--small-payments must be 0 to 1000") }
        guard smallSum == nil || smallPayments > 0 else {
            throw ValidationError("--small-sum needs --small-payments")
        }
        guard (0...RiskState.maximumRejections).contains(rejections) else {
            throw ValidationError("--rejections must be 0 to \(RiskState.maximumRejections)")
        }
    }

    mutating func run() async throws {
        let policy = try policy.map(PolicyCommand.policy) ?? .default
        let text = try InputFile.text(body, limit: 64 * 1024)
        let request: ExplainedRequest
        do throws(ExplainedRequest.Problem) {
            request = try ExplainedRequest(json: Array(text.utf8))
        } catch {
            throw ErrorReport(
                .usage, "the body is not a request: \(error.message)",
                hint: "send the body of a login, a transaction or an event of the REST API")
        }
        let report = DecisionReport(policy.decide(request.situation(at: SystemTimeSource().now(), known(policy))))
        try StandardStream.output.print(report, asJSON: output.isJSON, else: Table(report.rows).text)
    }

    /// The situation that the options describe.
    private func known(_ policy: Policy) -> ExplainedRequest.Knowledge {
        var known = ExplainedRequest.Knowledge()
        known.showsNumbers = showsNumbers
        known.isSourceKnown = knownSource
        known.isCreditorKnown = knownCreditor
        known.isBrowserKnown = knownBrowser
        known.codeMethod = codeMethod ?? .password
        known.deviceAge = deviceAge?.duration
        let now = SystemTimeSource().now()
        for payment in 0..<smallPayments {
            known.risk.record(.paidByPossession(payment == 0 ? smallSum?.amount : nil), at: now, policy: policy)
        }
        for _ in 0..<rejections { known.risk.record(.rejected(.canceled), at: now, policy: policy) }
        if notMe { known.risk.record(.rejected(.notMe), at: now, policy: policy) }
        return known
    }
}

/// An amount with its currency as an argument: `40 EUR`.
struct SmallSum: ExpressibleByArgument, Sendable {
    let amount: MonetaryAmount

    init?(argument: String) {
        let parts = argument.split(separator: " ")
        guard parts.count == 2, let number = try? Amount(String(parts[0])),
            let currency = try? Currency(String(parts[1])), let amount = MonetaryAmount(number, currency)
        else { return nil }
        self.amount = amount
    }
}

/// A duration as an argument, in the form of a policy file: `90s`, `10m`, `1h` or `7d`.
struct Age: ExpressibleByArgument, Sendable {
    let duration: Duration

    init?(argument: String) {
        guard let duration = PolicyFile.duration(argument) else { return nil }
        self.duration = duration
    }
}

extension AuthenticationMethod: ExpressibleByArgument {
    /// Creates a method from its name.
    public init?(argument: String) {
        guard let method = Self.allCases.first(where: { $0.description == argument }) else { return nil }
        self = method
    }

    /// The names of all methods.
    public static var allValueStrings: [String] { allCases.map(\.description) }
}
