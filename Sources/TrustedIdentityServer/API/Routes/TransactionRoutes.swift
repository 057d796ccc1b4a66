internal import Hummingbird
internal import Primitives
internal import TrustedIdentity

extension Handlers {
    /// `POST /v1/users/{u@d}/transactions/validate`
    func validateTransaction(_ request: Request, _ context: ServerContext) async throws -> Response {
        let account = try account(in: context)
        let body = try await JSONBody.decode(TransactionBody.self, from: request)
        switch body.data {
        case .standard(let fields, let signature):
            let source = body.remote.source
            let payment = try body.details.payment()
            let decision = try await platform(for: request, context).validate(
                LocalTransaction(
                    account: account, fields: fields, signature: signature, source: source.sourceID,
                    address: source.address, fingerprint: source.fingerprint, type: body.details.transactionType,
                    amount: payment.amount, creditor: payment.creditor,
                    showsNumbers: context.principal?.showsNumbers ?? false))
            return try reply(to: decision, requestID: body.remote.requestID, context)
        case .message(let message):
            let payment = try body.details.fields(beside: body.remote.display.map(\.field))
            return try await approve(
                body.remote, .transaction, type: body.details.transactionType, of: account,
                beside: (before: payment, after: message.fields), path: TransactionMessage.path, request, context)
        }
    }
}

/// `POST /v1/users/{u@d}/transactions/validate`.
package struct TransactionBody: Decodable, Sendable {
    let data: TransactionData
    let details: TransactionDetails
    /// The fields of a transaction that the user approves on a device. The id and the source count for every
    /// transaction.
    let remote: RemoteFields

    enum CodingKeys: String, CodingKey, CaseIterable {
        case objectType, data, credentials
    }

    /// The types of the original API. The shorter names come from its documentation.
    static let objectTypes = [
        "TransactionValidationInput", "AdaptiveTransactionValidationInput", "TransactionInput",
        "AdaptiveTransactionInput",
    ]

    package init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: CodingKeys.self)
        _ = try fields.decode(.objectType, oneOf: Self.objectTypes)
        // A credential that was sent must not look as if it had been checked.
        guard try !fields.contains(.credentials) || fields.decodeNil(forKey: .credentials) else {
            throw fields.problem(.credentials, "is not supported: the data says how the user approves")
        }
        data = try fields.decode(TransactionData.self, forKey: .data)
        details = try TransactionDetails(from: decoder)
        remote = try RemoteFields(from: decoder)
    }
}

/// The data that a transaction approves, in one of the forms of the original API.
enum TransactionData: Decodable, Sendable {
    /// The fields of a local transaction, and the signature that the user typed.
    case standard([DataField], signature: String)
    /// The fields that the user approves on a device.
    case message(TransactionMessage)

    enum CodingKeys: String, CodingKey, CaseIterable {
        case standard, transactionMessage, secureChannel, fido
    }

    enum StandardKeys: String, CodingKey, CaseIterable {
        case dataFields, signature
    }

    init(from decoder: any Decoder) throws {
        let forms = try decoder.container(keyedBy: CodingKeys.self)
        for form in [CodingKeys.secureChannel, .fido] where forms.contains(form) {
            guard try forms.decodeNil(forKey: form) else {
                throw forms.problem(form, "is not available", code: .transactionDataUnavailable)
            }
        }
        if let message = try forms.decodeIfPresent(TransactionMessage.self, forKey: .transactionMessage) {
            guard try !forms.contains(.standard) || forms.decodeNil(forKey: .standard) else {
                throw forms.problem(.standard, "must be left out beside transactionMessage")
            }
            self = .message(message)
            return
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
