import ArgumentParser
import CommandLine
import Foundation
import Orchestration

/// `seal USER`.
struct SealCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "seal",
        abstract: "Seal a text or a file.",
        discussion: """
            Works without a network. The site must name the same text, or the name of the file and its SHA-256. A file has \
            1 byte to 64 MiB. Only the platform knows whether the password is right: a wrong password makes a seal that \
            looks like any other, and the platform refuses it. Compare the host code with the one that the site shows.
            """)

    @OptionGroup var argument: UserArgument

    @Option(help: "The text to seal, 1 to 4096 bytes without line breaks.")
    var text: String?

    @Option(help: ArgumentHelp("The file to seal.", valueName: "path"))
    var file: String?

    @Option(help: "The crypto application, app1 to app8. Default: the first one that signs.")
    var app: Application?

    @Option(help: "What protects the seal: possession, password, or an enrolled method.")
    var method = Protection.password

    @OptionGroup var password: PasswordOptions
    @OptionGroup var options: DeviceOptions

    func validate() throws {
        guard (text == nil) != (file == nil) else {
            throw ValidationError("give --text or --file, and one of them only")
        }
    }

    mutating func run() async throws {
        let data = file.map { SealData.file(at: URL(fileURLWithPath: $0)) } ?? .text(text ?? "")
        let orchestrator = try await options.orchestrator(password)
        let flow = orchestrator.seal(
            data, for: argument.user, application: app?.index, protection: method.method)
        let asJSON = options.json
        // The seal is printed as soon as it is ready. The flow then synchronizes with the platform, which takes time.
        _ = try await FlowReport.follow(
            flow,
            showSeal: { seal in
                let report = SealReport(seal)
                try StandardStream.output.print(report, asJSON: asJSON, else: report.text)
            })
    }
}

/// A seal with the sealed data and its host code.
private struct SealReport: Encodable {
    let name: String?
    let sealedText: String?
    let digest: String
    let seal: String
    let hostCode: String?
    let counter: UInt64
    let validity: ValidityReport

    init(_ seal: OfflineSeal) {
        name = seal.name
        sealedText = seal.text
        digest = seal.digest
        self.seal = seal.seal
        hostCode = seal.hostCode
        counter = seal.counter
        validity = ValidityReport(seal.validity)
    }

    private enum CodingKeys: String, CodingKey {
        case name
        case sealedText = "text"
        case digest, seal, hostCode, counter, validity
    }

    /// The report as two tables: the sealed data, and the seal.
    var text: String {
        var sealed: [(name: String, value: String)] = []
        if let name { sealed.append(("name", name)) }
        if let sealedText { sealed.append(("text", sealedText)) }
        sealed.append(("SHA-256", digest))
        var codes = [(name: "seal", value: seal)]
        if let hostCode { codes.append(("host code", hostCode)) }
        codes.append(("valid", validity.text))
        return Table(sealed).text + "\n\n" + Table(codes).text
    }
}
