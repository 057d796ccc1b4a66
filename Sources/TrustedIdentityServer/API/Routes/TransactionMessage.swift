internal import OrchestrationProtocol
internal import Primitives
internal import TrustedIdentity

/// A field that the user sees, and its place in the body.
struct PlacedField: Sendable {
    let field: DisplayField
    /// The path of the field in the body, for errors.
    let path: String
}

/// The data of a transaction that the user approves on a device: up to 16 fields with a label and a value.
struct TransactionMessage: Decodable, Sendable {
    /// The path of the fields in the body.
    static let path = "data.transactionMessage.dataFields"

    /// The fields in their order.
    let fields: [PlacedField]

    enum CodingKeys: String, CodingKey, CaseIterable {
        case dataFields
    }

    init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: CodingKeys.self)
        let bodies = try members.decode([MessageFieldBody].self, forKey: .dataFields)
        guard bodies.count <= DisplayData.maximumFieldCount else {
            throw members.problem(.dataFields, "must have at most \(DisplayData.maximumFieldCount) fields")
        }
        fields = bodies.enumerated().map { index, body in
            PlacedField(field: .field(label: body.key, value: body.value), path: "\(Self.path)[\(index)]")
        }
    }
}

/// A field of a message: `{"key": {"text"}, "value": {"text"}}`.
private struct MessageFieldBody: Decodable, Sendable {
    /// The label, 1 to 64 characters.
    let key: String
    /// The value, at most 256 characters.
    let value: String

    private enum CodingKeys: String, CodingKey {
        case key, value
    }

    private enum TextKeys: String, CodingKey {
        case text
    }

    init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: CodingKeys.self)
        key = try Self.text(.key, of: members) { .field(label: $0, value: "") }
        value = try Self.text(.value, of: members) { .field(label: "value", value: $0) }
    }

    /// Decodes a text that a field may have.
    ///
    /// - Parameter field: Returns a field with the text, in which only the text can be wrong.
    private static func text(
        _ key: CodingKeys, of members: KeyedDecodingContainer<CodingKeys>, in field: (String) -> DisplayField
    ) throws -> String {
        let part = try members.nestedContainer(keyedBy: TextKeys.self, forKey: key)
        let text = try part.decode(String.self, forKey: .text)
        do throws(DisplayDataError) {
            _ = try DisplayData([field(text)])
        } catch {
            throw part.problem(.text, error.message)
        }
        return text
    }
}

/// The details of a payment that an application server sends in addition to its data.
///
/// With a message, the amount, the currency and the creditor are shown to the user, because the policy must decide on
/// what the user signs. With a signature that the user typed, they only inform the policy, because the user has signed
/// the fields. An empty text counts as absent.
struct TransactionDetails: Decodable, Sendable {
    let accountRef: String?
    /// The amount as it was sent: a text, or a number in its shortest decimal form.
    let amount: String?
    let currency: String?
    let transactionType: String?
    let creditorIBAN: String?
    let creditorName: String?
    let creditorBank: String?
    let debtorIBAN: String?

    enum CodingKeys: String, CodingKey, CaseIterable {
        case accountRef, amount, currency, transactionType, creditorIBAN, creditorName, creditorBank, debtorIBAN
    }

    init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: CodingKeys.self)
        func text(_ key: CodingKeys, bytes limit: Int = 256) throws -> String? {
            let text = try fields.decodeIfPresent(key, bytes: limit)
            return text == "" ? nil : text
        }
        accountRef = try text(.accountRef)
        let amount = try fields.decodeDecimalIfPresent(.amount, bytes: 32)
        self.amount = amount == "" ? nil : amount
        currency = try text(.currency, bytes: 16)
        transactionType = try text(.transactionType)
        creditorIBAN = try text(.creditorIBAN, bytes: 64)
        creditorName = try text(.creditorName, bytes: 560)
        creditorBank = try text(.creditorBank)
        debtorIBAN = try text(.debtorIBAN, bytes: 64)
    }
}

extension TransactionDetails {
    /// Returns the amount, the currency and the creditor as fields that the user sees.
    ///
    /// - Parameter display: The fields that the user sees anyway. A field whose type is among them is not shown twice,
    ///   and must be the same.
    /// - Throws: ``APIError`` that names the field.
    func fields(beside display: [DisplayField]) throws(APIError) -> [PlacedField] {
        // The account that pays is not shown. An invalid one indicates a mistake of the caller.
        _ = try parsed(debtorIBAN, .debtorIBAN, IBAN.init(printed:))
        return try paymentFields(beside: display)
    }

    private func paymentFields(beside display: [DisplayField]) throws(APIError) -> [PlacedField] {
        let (amount, currency) = try (parsed(amount, .amount, Amount.init), parsed(currency, .currency, Currency.init))
        let account = try parsed(creditorIBAN, .creditorIBAN, IBAN.init(printed:))
        var fields: [PlacedField] = []
        if let amount {
            guard let currency else { throw APIError(field: "currency", "is required with an amount") }
            guard let value = MonetaryAmount(amount, currency) else {
                throw APIError(field: "amount", "must not have more decimal places than the currency")
            }
            if let shown = (try? DisplayData(display))?.amount {
                guard shown == value else { throw APIError(field: "amount", "is not the amount that the user sees") }
            } else {
                fields.append(PlacedField(field: .amount(amount), path: "amount"))
                fields.append(PlacedField(field: .currency(currency), path: "currency"))
            }
        }
        if let creditorName {
            try fields.add(.creditor(creditorName), .creditorName, unless: display.first { $0.isCreditor })
        }
        if let account {
            try fields.add(.creditorAccount(account), .creditorIBAN, unless: display.first { $0.isCreditorAccount })
        }
        return fields
    }

    /// Returns the amount, and the account or the name of the creditor, for a decision on a signature that the user
    /// typed.
    ///
    /// - Throws: ``APIError`` that names the field.
    func payment() throws(APIError) -> (amount: MonetaryAmount?, creditor: String?) {
        let shown = try paymentFields(beside: [])
        do throws(DisplayDataError) {
            let data = try DisplayData(shown.map(\.field))
            return (data.amount, data.creditor)
        } catch {
            throw APIError(field: error.index.map { shown[$0].path } ?? "amount", error.message)
        }
    }

    private func parsed<Value>(
        _ text: String?, _ key: CodingKeys, _ parse: (String) throws(PaymentDataError) -> Value
    ) throws(APIError) -> Value? {
        guard let text else { return nil }
        do throws(PaymentDataError) {
            return try parse(text)
        } catch {
            throw APIError(field: key.stringValue, error.message)
        }
    }
}

extension [PlacedField] {
    /// Adds a field, unless the user already sees a field of its type. That field must be the same.
    fileprivate mutating func add(
        _ field: DisplayField, _ key: TransactionDetails.CodingKeys, unless shown: DisplayField?
    ) throws(APIError) {
        guard let shown else { return append(PlacedField(field: field, path: key.stringValue)) }
        guard shown == field else { throw APIError(field: key.stringValue, "is not the creditor that the user sees") }
    }
}

extension DisplayField {
    fileprivate var isCreditor: Bool { if case .creditor = self { true } else { false } }

    fileprivate var isCreditorAccount: Bool { if case .creditorAccount = self { true } else { false } }
}
