public import OrchestrationProtocol
public import Primitives

#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

extension ApprovalRequest {
    /// A line of the display data of an approval request: a label and a text that the platform has signed.
    public struct Line: Sendable, Hashable, Redacted {
        /// The label; `nil` for free text. The label of a typed field is from the texts of the app. Any other label is
        /// signed.
        public let label: String?

        /// The text, as it is signed.
        public let text: String

        /// Whether the line shows a typed field, such as the amount. Otherwise the label and the text come from the
        /// application server and may imitate a typed field: show them differently.
        public let isTyped: Bool

        /// The label, a colon and the text as one text for display; the text alone where there is no label. Words of
        /// the application server are in quotation marks where the line is not typed. The label and the text are each
        /// in Unicode isolates, because neither may reorder the other one. ``text`` contains none of these.
        public var displayed: String {
            let texts = (label.map { [$0, text] } ?? [text]).map(DisplayText.isolated)
            return (isTyped ? texts : texts.map { "\"\($0)\"" }).joined(separator: ": ")
        }
    }
}

extension DisplayData {
    /// Returns the fields as lines, in their order. An amount and its currency are one line.
    ///
    /// - Parameter texts: The texts of the app, which contain the labels of the typed fields.
    /// - Returns: The lines. A field that this version cannot show has no line; an `ApprovalRequest` never has such a
    ///   field.
    public func lines(in texts: PromptCatalog = .default) -> [ApprovalRequest.Line] {
        var lines: [ApprovalRequest.Line] = []
        func typed(_ label: PromptText, _ text: String) {
            lines.append(ApprovalRequest.Line(label: texts[label], text: text, isTyped: true))
        }
        func words(_ text: String, label: String? = nil) {
            lines.append(ApprovalRequest.Line(label: label, text: text, isTyped: false))
        }
        var amount: Amount?
        for field in fields {
            switch field {
            case .text(let text): words(text)
            case .field(let label, let value): words(value, label: label)
            case .amount(let value): amount = value
            case .currency(let currency):
                // The checked data has an amount directly before each currency.
                typed(.approvalAmount, amount.map { "\($0.text) \(currency.code)" } ?? currency.code)
            case .creditor(let name): typed(.approvalCreditor, name)
            case .creditorAccount(let account): typed(.approvalCreditorAccount, account.text)
            case .remittance(let text): typed(.approvalRemittance, text)
            case .time(let time): typed(.approvalTime, time.date.formatted(.iso8601))
            case .requester(let name): typed(.approvalRequester, name)
            case .place(let place): typed(.approvalPlace, place)
            case .unknown(let field):
                if let value = field.value { words(value, label: field.label) }
            }
        }
        return lines
    }
}

extension Timestamp {
    /// The time, for an app to show.
    var date: Date { Date(timeIntervalSince1970: Double(millisecondsSinceEpoch) / 1_000) }
}
