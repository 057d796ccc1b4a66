import ArgumentParser
import CommandLine
import Orchestration

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// `receipt`.
struct ReceiptCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "receipt", abstract: "Verify receipts.", subcommands: [VerifyReceipt.self])
}

/// `receipt verify FILE`.
struct VerifyReceipt: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "verify",
        abstract: "Verify a receipt without the platform and without the store of this device.",
        discussion: """
            The keys are the pages of GET /v1/platform-keys: page 1, and page N while the page before has \
            "nextPage":N. Give the fingerprint that the operator of the platform has confirmed; without it the files \
            are trusted as they are. Exit code 1 for a receipt that is not valid.
            """)

    @Argument(help: "The file with the receipt, as base64url.")
    var file: String

    @Option(
        help: ArgumentHelp(
            "The file with the key statements of the platform. Repeat it for further pages.", valueName: "file"))
    var platformKeys: [String]

    @Option(help: ArgumentHelp("The fingerprint of one of the statements.", valueName: "hex"))
    var fingerprint: String?

    @Flag(help: "Print JSON on one line.")
    var json = false

    mutating func run() async throws {
        let keys = try PublishedKeys(
            pages: platformKeys.map { try ReceiptFile.read($0, limit: PublishedKeys.maximumByteCount) },
            fingerprint: fingerprint)
        let bytes = try ReceiptFile.read(file, limit: Receipt.maximumByteCount * 2)
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw ErrorReport(.failed, "'\(file)' is not a text")
        }
        let report = VerifiedReceiptReport(
            try Receipt(text: text).verify(with: keys), isFingerprintKnown: fingerprint != nil)
        try StandardStream.output.print(report, asJSON: json, else: report.text)
        if !report.uncheckedAlgorithms.isEmpty {
            let names = report.uncheckedAlgorithms.joined(separator: ", ")
            StandardStream.error.print("warning: signatures that were not checked: \(names)")
        }
    }
}

/// The content of a verified receipt.
private struct VerifiedReceiptReport: Encodable {
    let principal: PrincipalReport
    let user: String
    let tenant: String
    let kind: String
    let outcome: String
    let decision: String
    let reason: String?
    let number: String?
    let requestedMethod: String
    let verifiedMethod: String?
    let fallback: String?
    let requestID: String
    let sessionID: String?
    let created: Int64
    let decided: Int64
    let lines: [ApprovalReport.Line]
    let uncheckedAlgorithms: [String]
    /// The statements that the result does not make.
    let notVerified: [String]

    init(_ receipt: VerifiedReceipt, isFingerprintKnown: Bool) {
        principal = PrincipalReport(receipt.principal)
        user = receipt.account
        tenant = receipt.tenant
        kind = receipt.kind.description
        outcome = receipt.outcome.description
        (decision, reason) = ApprovalWords.decision(receipt.decision)
        number = receipt.number
        requestedMethod = receipt.requestedMethod.description
        verifiedMethod = receipt.verifiedMethod?.description
        fallback = receipt.fallback?.description
        requestID = receipt.requestID
        sessionID = receipt.sessionID
        created = receipt.created.secondsSinceEpoch
        decided = receipt.decided.secondsSinceEpoch
        lines = receipt.display.lines().map(ApprovalReport.Line.init)
        uncheckedAlgorithms = receipt.uncheckedAlgorithms
        notVerified =
            isFingerprintKnown ? [] : ["that the key statements are those of the platform: give --fingerprint"]
    }

    /// The report as a table.
    var text: String {
        var fields = [
            (name: "outcome", value: outcome), ("decision", reason.map { "\(decision) (\($0))" } ?? decision),
            ("from", principal.name), ("user", user), ("tenant", tenant), ("kind", kind),
        ]
        fields += lines.map(\.cells)
        if let number { fields.append(("number", number)) }
        fields += [
            ("asked for", requestedMethod), ("verified", verifiedMethod ?? "none"),
        ]
        if let fallback { fields.append(("fallback", fallback)) }
        fields += [
            ("request id", requestID), ("created", Self.date(created)), ("decided", Self.date(decided)),
        ]
        fields += notVerified.map { ("not verified", $0) }
        return Table(fields).text
    }

    private static func date(_ seconds: Int64) -> String {
        Date(timeIntervalSince1970: TimeInterval(seconds)).formatted(.iso8601)
    }
}
