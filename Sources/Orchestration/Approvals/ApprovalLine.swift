public import OrchestrationProtocol
public import Primitives

#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// A line of the display data of an approval request: a label from the texts of the app, and a text that the platform
/// has signed.
public struct ApprovalLine: Sendable, Hashable, Redacted {
    /// The label; `nil` for free text.
    public let label: String?

    /// The text.
    public let text: String

    /// Always the same words: the text may name people and payments.
    public var description: String { "approval line" }

    /// The label, a colon and the text; the text alone where there is no label.
    var plain: String { label.map { "\($0): \(text)" } ?? text }
}

extension DisplayData {
    /// Returns the fields as lines, in their order. An amount and its currency are one line.
    ///
    /// - Parameter texts: The texts of the app, which have the labels of the typed fields.
    /// - Returns: The lines. A field that this version cannot show has none; an `ApprovalRequest` never has such a
    ///   field.
    public func lines(in texts: PromptCatalog = .default) -> [ApprovalLine] {
        var lines: [ApprovalLine] = []
        var amount: Amount?
        for field in fields {
            switch field {
            case .text(let text): lines.append(ApprovalLine(label: nil, text: text))
            case .field(let label, let value): lines.append(ApprovalLine(label: label, text: value))
            case .amount(let value): amount = value
            case .currency(let currency):
                // The checked data has an amount directly before each currency.
                let text = amount.map { "\($0.text) \(currency.code)" } ?? currency.code
                lines.append(ApprovalLine(label: texts[.approvalAmount], text: text))
            case .creditor(let name): lines.append(ApprovalLine(label: texts[.approvalCreditor], text: name))
            case .creditorAccount(let account):
                lines.append(ApprovalLine(label: texts[.approvalCreditorAccount], text: account.text))
            case .remittance(let text): lines.append(ApprovalLine(label: texts[.approvalRemittance], text: text))
            case .time(let time):
                lines.append(ApprovalLine(label: texts[.approvalTime], text: time.date.formatted(.iso8601)))
            case .requester(let name): lines.append(ApprovalLine(label: texts[.approvalRequester], text: name))
            case .place(let place): lines.append(ApprovalLine(label: texts[.approvalPlace], text: place))
            case .unknown(let field):
                if let value = field.value { lines.append(ApprovalLine(label: field.label, text: value)) }
            }
        }
        return lines
    }
}

extension Timestamp {
    /// The time as an app shows it.
    var date: Date { Date(timeIntervalSince1970: Double(millisecondsSinceEpoch) / 1_000) }
}
