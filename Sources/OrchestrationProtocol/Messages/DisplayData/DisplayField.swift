public import Primitives

/// A field of the display data of an approval request.
///
/// The typed fields are for payments and logins. Everything else is a ``text(_:)`` or a ``field(label:value:)``.
/// ``DisplayData`` states the rules for the texts. The article <doc:Approvals> states which fields other formats have
/// for the same data.
@nonexhaustive
public enum DisplayField: Sendable, Hashable {
    /// Free text, 1 to 1,024 characters.
    case text(String)
    /// A label of 1 to 64 characters and a value of 0 to 256 characters.
    case field(label: String, value: String)
    /// An amount of money. The field with its currency follows directly.
    case amount(Amount)
    /// The currency of the amount in the previous field.
    case currency(Currency)
    /// The name of the payee, 1 to 140 characters.
    case creditor(String)
    /// The account of the payee.
    case creditorAccount(IBAN)
    /// The remittance information, 1 to 140 characters.
    case remittance(String)
    /// The time of the transaction or event.
    case time(Timestamp)
    /// The party that asks, as the application server names it, 1 to 64 characters.
    case requester(String)
    /// The place that the request comes from, 1 to 64 characters.
    case place(String)
    /// A field of a later version of the protocol.
    case unknown(UnknownDisplayField)
}

/// A field of a type that this version does not know.
public struct UnknownDisplayField: Sendable, Hashable {
    /// The number of the type.
    public let type: UInt64

    /// The label, if the field has one.
    public let label: String?

    /// The text to show. `nil` for a field that this version cannot show; its approval request is refused.
    public let value: String?

    /// The whole field, as it was received.
    let encoded: [UInt8]
}

extension DisplayField {
    /// The name of the type, for errors.
    var name: StaticString {
        switch self {
        case .text: "text"
        case .field: "field"
        case .amount: "amount"
        case .currency: "currency"
        case .creditor: "creditor"
        case .creditorAccount: "creditorAccount"
        case .remittance: "remittance"
        case .time: "time"
        case .requester: "requester"
        case .place: "place"
        case .unknown: "unknown"
        }
    }

    /// The number of the type on the wire.
    var type: UInt64 {
        switch self {
        case .text: 0
        case .field: 1
        case .amount: 2
        case .currency: 3
        case .creditor: 4
        case .creditorAccount: 5
        case .remittance: 6
        case .time: 7
        case .requester: 8
        case .place: 9
        case .unknown(let field): field.type
        }
    }

    /// The rule that a text of the field breaks.
    var problem: DisplayDataError.Code? {
        switch self {
        case .text(let text): DisplayText.problem(of: text, characters: 1...1_024)
        case .field(let label, let value):
            DisplayText.problem(of: label, characters: 1...64) ?? DisplayText.problem(of: value, characters: 0...256)
        case .creditor(let text), .remittance(let text): DisplayText.problem(of: text, characters: 1...140)
        case .requester(let text), .place(let text): DisplayText.problem(of: text, characters: 1...64)
        case .amount, .currency, .creditorAccount, .time, .unknown: nil
        }
    }
}
