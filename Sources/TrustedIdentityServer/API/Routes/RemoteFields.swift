internal import OrchestrationProtocol
internal import Primitives
internal import TrustedIdentity

/// The fields of a login, transaction or event that a device of the user approves.
struct RemoteFields: Decodable, Sendable {
    /// The caller's id of the request, 1 to 256 bytes.
    let requestID: String?
    /// Whether the reply contains the pointer as text.
    let showsMessage: Bool
    /// The time that the caller waits, in seconds; 0 for no wait.
    let timeoutSeconds: Int
    /// The display data.
    let display: [PlacedField]
    /// The notice for the app, for the case that the policy refuses the answer.
    let refusalNotice: RefusalNotice?
    let source: SourceFields

    enum CodingKeys: String, CodingKey, CaseIterable {
        case requestID, orchestrationDelivery, timeout, dataToDisplay, refusal
    }

    init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: CodingKeys.self)
        requestID = try fields.decodeIDIfPresent(.requestID)
        timeoutSeconds = try fields.decodeIfPresent(.timeout, in: 0...300) ?? 60
        let deliveries = try fields.decodeIfPresent([String].self, forKey: .orchestrationDelivery)
        if let deliveries, !Set(deliveries).isSubset(of: ["pushNotification", "requestMessage"]) {
            throw fields.problem(.orchestrationDelivery, "must hold pushNotification or requestMessage")
        }
        showsMessage = deliveries?.contains("requestMessage") ?? true
        let shown = try fields.decodeIfPresent(DisplayBody.self, forKey: .dataToDisplay)?.fields ?? []
        display = shown.enumerated().map { PlacedField(field: $1, path: "dataToDisplay[\($0)]") }
        refusalNotice = try fields.decodeIfPresent(NoticeBody.self, forKey: .refusal)?.notice
        source = try SourceFields(from: decoder)
    }

    /// Returns the parameters of the platform.
    ///
    /// - Parameters:
    ///   - fields: Fields that the user sees before and after those of ``display``.
    ///   - path: The field of the body that an error about all fields names.
    /// - Throws: ``APIError`` that names the field.
    func parameters(
        _ kind: ApprovalKind, of account: AccountName, type: String?, principal: ApprovalPrincipal, showsNumbers: Bool,
        beside fields: (before: [PlacedField], after: [PlacedField]) = ([], []), path: String = "dataToDisplay"
    ) throws(APIError) -> ApprovalParameters {
        var shown = fields.before + display + fields.after
        if kind == .event, shown.isEmpty, let type {
            // The receipt of an event states at least its type.
            shown = [PlacedField(field: .field(label: "Event", value: type), path: "eventType")]
        }
        let data: DisplayData
        do throws(DisplayDataError) {
            data = try DisplayData(shown.map(\.field))
        } catch {
            // Without an index the error is about all fields.
            throw APIError(field: error.index.map { shown[$0].path } ?? path, error.message)
        }
        if kind == .transaction, data.fields.isEmpty {
            throw APIError(field: path, "a transaction shows at least one field")
        }
        let session = source.sessionID ?? ""
        let risk = RiskInput(
            source: source.sourceID, fingerprint: source.fingerprint, address: source.address, type: type)
        return ApprovalParameters(
            kind, of: account, display: data, sessionID: session, requestID: requestID, principal: principal,
            lifetime: timeoutSeconds == 0 ? ApprovalParameters.defaultLifetime : .seconds(timeoutSeconds),
            showsNumbers: showsNumbers, risk: risk, refusalNotice: refusalNotice)
    }
}

/// The display data of a body: a text, or an array of typed fields.
struct DisplayBody: Decodable, Sendable {
    let fields: [DisplayField]

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if let text = try? container.decode(String.self) {
            fields = text.isEmpty ? [] : [.text(text)]
        } else {
            fields = try container.decode([DisplayFieldBody].self).map(\.field)
        }
    }
}

/// A typed field: `{"type", "value", "label"?}`.
private struct DisplayFieldBody: Decodable, Sendable {
    let field: DisplayField

    enum CodingKeys: String, CodingKey, CaseIterable {
        case type, label, value
    }

    /// The types that an application server may name.
    static let types = [
        "text", "field", "amount", "currency", "creditor", "creditorAccount", "remittance", "time", "requester",
        "place",
    ]

    init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: CodingKeys.self)
        let type = try fields.decode(.type, oneOf: Self.types)
        let value = try fields.decode(String.self, forKey: .value)
        let label = try fields.decodeIfPresent(String.self, forKey: .label)
        if label != nil, type != "field" { throw fields.problem(.label, "is for the type field only") }
        do {
            field = try Self.field(type, label: label, value)
        } catch let error as PaymentDataError {
            throw fields.problem(.value, error.message)
        } catch let error as FieldProblem {
            throw fields.problem(label == nil && type == "field" ? .label : .value, error.text)
        }
    }

    private static func field(_ type: String, label: String?, _ value: String) throws -> DisplayField {
        switch type {
        case "amount": return .amount(try Amount(value))
        case "currency": return .currency(try Currency(value))
        case "creditor": return .creditor(value)
        case "creditorAccount": return .creditorAccount(try IBAN(printed: value))
        case "remittance": return .remittance(value)
        case "requester": return .requester(value)
        case "place": return .place(value)
        case "time":
            guard let time = Timestamp(rfc3339: value) else {
                throw FieldProblem(text: "must be a time to the millisecond, such as 2026-01-31T12:00:00Z (RFC 3339)")
            }
            return .time(time)
        case "field":
            guard let label else { throw FieldProblem(text: "is missing") }
            return .field(label: label, value: value)
        default: return .text(value)
        }
    }
}
