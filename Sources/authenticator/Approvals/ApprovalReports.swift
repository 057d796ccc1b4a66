import CLibrary
import CommandLine
import Orchestration

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// A pending request, in the output of `approvals`.
struct PendingApprovalReport: Encodable {
    let id: String
    let kind: String
    let secondsLeft: Int64
    let isAnnounced: Bool

    init(_ approval: ApprovalSummary) {
        id = approval.id.description
        kind = approval.kind.description
        secondsLeft = approval.timeLeft.components.seconds
        isAnnounced = approval.isAnnounced
    }
}

/// The application server that asks.
struct PrincipalReport: Encodable {
    let id: String
    let name: String

    init(_ principal: ApprovalPrincipal) { (id, name) = (principal.id, principal.name) }
}

/// A request, as the user sees it before the decision.
struct ApprovalReport: Encodable {
    /// A line of the approved data.
    struct Line: Encodable {
        let label: String?
        let text: String
        let isTyped: Bool

        init(_ line: ApprovalRequest.Line) {
            label = line.label
            text = line.text
            isTyped = line.isTyped
        }

        /// The label and the text. Text from the application server is in quotation marks.
        var cells: (name: String, value: String) {
            guard !isTyped else { return (name: label ?? "", value: text) }
            return (name: label.map { "\"\($0)\"" } ?? "", value: "\"\(text)\"")
        }
    }

    let principal: PrincipalReport
    let id: String
    let user: String
    let kind: String
    let lines: [Line]
    let requestID: String
    let method: String
    let rejectionMethod: String
    let digits: Int
    let secondsLeft: Int64

    init(_ request: ApprovalRequest) {
        principal = PrincipalReport(request.principal)
        id = request.id.description
        user = request.account.text
        kind = request.kind.description
        lines = request.lines.map(Line.init)
        requestID = request.requestID
        method = request.method.description
        rejectionMethod = request.rejectionMethod.description
        digits = request.digits
        secondsLeft = request.timeLeft.components.seconds
    }

    /// The report as a table, with the name of the application server first. ``/CommandLine/Table`` escapes characters
    /// that could control a terminal.
    var text: String {
        var fields = [(name: "from", value: principal.name), (kind, user)]
        fields += lines.map(\.cells)
        fields += [("id", id), ("request id", requestID), ("approve by", method)]
        if digits > 0 { fields.append(("number", "\(digits) digits, which the site shows")) }
        return Table(fields).text
    }
}

/// The answer that the platform accepted.
struct AnsweredApprovalReport: Encodable {
    private let id: String
    private let user: String
    private let decision: String
    private let reason: String?
    private let method: String
    private let verifiedMethod: String?
    private let fallback: String?
    private let receipt: String

    private init(_ approval: AnsweredApproval) {
        id = approval.id.description
        user = approval.account.text
        (decision, reason) = ApprovalWords.decision(approval.decision)
        method = approval.statement.method.description
        verifiedMethod = approval.statement.verifiedMethod?.description
        fallback = approval.statement.fallback?.description
        receipt = approval.receipt.text
    }

    /// Prints the outcome of a flow, and writes the receipt if requested.
    static func print(_ outcome: Outcome, asJSON: Bool, receiptFile: String?) throws {
        guard case .approvalAnswered(let approval) = outcome else { return }
        if let file = receiptFile { try ReceiptFile.write(approval.receipt, to: file) }
        try StandardStream.output.print(
            Self(approval), asJSON: asJSON,
            else: "\(approval)".prefix(1).uppercased() + "\(approval)".dropFirst() + ".")
    }
}

/// The words for values of the protocol.
enum ApprovalWords {
    static func decision(_ decision: ApprovalDecision) -> (String, reason: String?) {
        switch decision {
        case .approved: ("approved", nil)
        case .rejected(let reason): ("rejected", reason.description)
        }
    }
}

/// Files with receipts.
enum ReceiptFile {
    /// Writes a receipt as text to a new file, which only the user can read: it states what the user approved.
    static func write(_ receipt: Receipt, to path: String) throws {
        let descriptor = unsafe open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else {
            throw ErrorReport(.failed, "the receipt cannot be written to '\(path)': \(SystemCall.message(of: errno))")
        }
        defer { close(descriptor) }
        guard SystemCall.write(Array((receipt.text + "\n").utf8).span, to: descriptor) else {
            throw ErrorReport(.failed, "the receipt cannot be written to '\(path)': \(SystemCall.message(of: errno))")
        }
    }

    /// Reads a file up to a maximum number of bytes.
    static func read(_ path: String, limit: Int) throws -> [UInt8] {
        let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else {
            throw ErrorReport(.failed, "'\(path)' cannot be read: \(SystemCall.message(of: errno))")
        }
        defer { close(descriptor) }
        var bytes: [UInt8] = []
        while true {
            var chunk = [UInt8](repeating: 0, count: 65_536)
            var span = chunk.mutableSpan
            let count = SystemCall.read(descriptor, into: &span)
            guard count >= 0 else {
                throw ErrorReport(.failed, "'\(path)' cannot be read: \(SystemCall.message(of: errno))")
            }
            if count == 0 { return bytes }
            guard bytes.count + count <= limit else { throw ErrorReport(.usage, "'\(path)' is too long") }
            bytes += chunk[..<count]
        }
    }
}
