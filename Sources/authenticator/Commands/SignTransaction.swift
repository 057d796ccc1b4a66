import ArgumentParser
import CommandLine
import Orchestration
import Primitives

/// `sign USER`.
struct SignTransaction: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sign",
        abstract: "Sign the fields of a transaction.",
        discussion: """
            Works without a network. The site must ask for the same fields, in the same order and with the same labels, \
            or without labels. Only the platform knows whether the password is right: a wrong password makes a signature \
            that looks like any other, and the platform refuses it. Compare the host code with the one that the site \
            shows.
            """)

    @OptionGroup var argument: UserArgument

    @Option(
        help: ArgumentHelp(
            "A field to sign, 1 to 8 of them. Without a label: =VALUE. A label and a value have at most 16 characters.",
            valueName: "label=value"))
    var field: [Field]

    @Option(help: "The crypto application, app1 to app8. Default: the first one that signs.")
    var app: Application?

    @Option(help: "What protects the signature: possession or password.")
    var method = Protection.password

    @OptionGroup var password: PasswordOptions
    @OptionGroup var options: DeviceOptions

    mutating func run() async throws {
        let orchestrator = try await options.orchestrator(password)
        let flow = orchestrator.sign(
            field.map(\.field), for: argument.user, application: app?.index, protection: method.method)
        let asJSON = options.json
        // The signature is printed as soon as it is ready. The flow then synchronizes with the platform, which takes
        // time.
        _ = try await FlowReport.follow(
            flow,
            showSignature: { signature in
                let report = SignatureReport(signature)
                try StandardStream.output.print(report, asJSON: asJSON, else: report.text)
            })
    }
}

/// A field as `LABEL=VALUE`. The first `=` separates the two; a text without `=` is a value.
struct Field: ExpressibleByArgument {
    let field: DataField

    init?(argument: String) {
        guard let separator = argument.firstIndex(of: "=") else {
            field = DataField(value: Self.value(argument))
            return
        }
        let label = argument[..<separator]
        field = DataField(
            label: label.isEmpty ? nil : String(label),
            value: Self.value(String(argument[argument.index(after: separator)...])))
    }

    /// Returns a value. White space is removed from an IBAN, which is often written in groups of four.
    private static func value(_ text: String) -> String { (try? IBAN(TypedDigits.of(text)))?.text ?? text }
}

/// A signature with the signed data and its host code.
private struct SignatureReport: Encodable {
    struct Field: Encodable {
        let label: String?
        let value: String
    }

    let fields: [Field]
    let signature: String
    let hostCode: String?
    let counter: UInt64
    let validity: ValidityReport

    init(_ result: LocalSignature) {
        fields = result.fields.map { Field(label: $0.label, value: $0.value) }
        signature = result.signature
        hostCode = result.hostCode
        counter = result.counter
        validity = ValidityReport(result.validity)
    }

    /// The report as two tables: the signed data, and the signature.
    var text: String {
        let signed = fields.enumerated().map { ["\($0.offset + 1)", $0.element.label ?? "", $0.element.value] }
        var codes = [(name: "signature", value: signature)]
        if let hostCode { codes.append(("host code", hostCode)) }
        codes.append(("valid", validity.text))
        return Table([["", "label", "value"]] + signed).text + "\n\n" + Table(codes).text
    }
}

/// The validity of a signature or a seal.
struct ValidityReport: Encodable {
    let furtherCodes: Int
    let seconds: Int64

    init(_ validity: CodeValidity) {
        furtherCodes = validity.furtherCodes
        seconds = validity.minimumTime.components.seconds
    }

    /// The validity in words.
    var text: String { "for \(seconds) seconds at least, and \(furtherCodes) further signatures and seals" }
}
