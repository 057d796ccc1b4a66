internal import Hummingbird
internal import Primitives
internal import TrustedIdentity

extension Handlers {
    /// `POST /v1/users/{u@d}/transactions/validate`
    func validateTransaction(_ request: Request, _ context: ServerContext) async throws -> Response {
        let account = try account(in: context)
        let body = try await JSONBody.decode(TransactionBody.self, from: request)
        let decision =
            switch body.data {
            case .standard(let fields, let signature):
                try await platform.validate(
                    LocalTransaction(
                        account: account, fields: fields, signature: signature, source: body.source.sourceID,
                        address: body.source.address))
            }
        return try reply(to: decision, requestID: body.requestID, context)
    }
}

/// `POST /v1/users/{u@d}/transactions/validate`.
package struct TransactionBody: Decodable, Sendable {
    let data: TransactionData
    let details: TransactionDetails
    let source: SourceFields
    /// The caller's id of the transaction, which the reply repeats.
    let requestID: String?

    enum CodingKeys: String, CodingKey, CaseIterable {
        case objectType, data, credentials, requestID
    }

    /// The types of the original API. The shorter names are those of its documentation.
    static let objectTypes = [
        "TransactionValidationInput", "AdaptiveTransactionValidationInput", "TransactionInput",
        "AdaptiveTransactionInput",
    ]

    package init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: CodingKeys.self)
        _ = try fields.decode(.objectType, oneOf: Self.objectTypes)
        // A credential that was sent must not look as if it had been checked.
        guard try !fields.contains(.credentials) || fields.decodeNil(forKey: .credentials) else {
            throw fields.problem(.credentials, "is not supported: the data has the signature")
        }
        requestID = try fields.decodeIfPresent(.requestID, bytes: 64)
        data = try fields.decode(TransactionData.self, forKey: .data)
        details = try TransactionDetails(from: decoder)
        source = try SourceFields(from: decoder)
    }
}

/// The data that a transaction approves, in one of the forms of the original API.
enum TransactionData: Decodable, Sendable {
    /// The fields of a local transaction, and the signature that the user typed.
    case standard([DataField], signature: String)

    enum CodingKeys: String, CodingKey, CaseIterable {
        case standard, transactionMessage, secureChannel, fido
    }

    enum StandardKeys: String, CodingKey, CaseIterable {
        case dataFields, signature
    }

    init(from decoder: any Decoder) throws {
        let forms = try decoder.container(keyedBy: CodingKeys.self)
        for form in [CodingKeys.transactionMessage, .secureChannel, .fido] where forms.contains(form) {
            guard try forms.decodeNil(forKey: form) else {
                throw forms.problem(form, "is not available", code: .transactionDataUnavailable)
            }
        }
        let standard = try forms.nestedContainer(keyedBy: StandardKeys.self, forKey: .standard)
        self = .standard(
            try Self.fields(in: standard), signature: try standard.decode(.signature, bytes: 32))
    }

    private static func fields(in standard: KeyedDecodingContainer<StandardKeys>) throws -> [DataField] {
        let bodies = try standard.decode([DataFieldBody].self, forKey: .dataFields)
        do throws(DataFieldError) {
            return try DataFields(bodies.map(\.field)).fields
        } catch {
            guard let index = error.index, let part = error.part else {
                throw standard.problem(.dataFields, "must have 1 to \(DataField.maximumCount) fields")
            }
            let path = bodies[index].path(of: part)
            throw standard.problem([StandardKeys.dataFields, ArrayIndex(index)] + path, error.fault)
        }
    }
}

/// A field of a local transaction: a text, or an object with a label and a text.
struct DataFieldBody: Decodable, Sendable {
    let field: DataField
    private let isText: Bool

    private enum CodingKeys: String, CodingKey {
        case key, value
    }

    private enum TextKeys: String, CodingKey {
        case text
    }

    init(from decoder: any Decoder) throws {
        if let value = try? decoder.singleValueContainer().decode(String.self) {
            field = DataField(value: value)
            isText = true
            return
        }
        let members = try decoder.container(keyedBy: CodingKeys.self)
        var label: String?
        if members.contains(.key), try !members.decodeNil(forKey: .key) {
            label = try members.nestedContainer(keyedBy: TextKeys.self, forKey: .key).decode(String.self, forKey: .text)
        }
        let value = try members.nestedContainer(keyedBy: TextKeys.self, forKey: .value)
        field = DataField(label: label, value: try value.decode(String.self, forKey: .text))
        isText = false
    }

    /// Returns the path of a text in the field.
    func path(of part: DataFieldError.Part) -> [any CodingKey] {
        guard !isText else { return [] }
        return switch part {
        case .label: [CodingKeys.key, TextKeys.text]
        case .value: [CodingKeys.value, TextKeys.text]
        }
    }
}

/// What an application server says of a payment besides its data. It informs the policy, and is not signed here.
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
            try fields.decodeIfPresent(key, bytes: limit)
        }
        accountRef = try text(.accountRef)
        amount = try fields.decodeDecimalIfPresent(.amount, bytes: 32)
        currency = try text(.currency, bytes: 16)
        transactionType = try text(.transactionType)
        creditorIBAN = try text(.creditorIBAN, bytes: 64)
        creditorName = try text(.creditorName, bytes: 560)
        creditorBank = try text(.creditorBank)
        debtorIBAN = try text(.debtorIBAN, bytes: 64)
    }
}
