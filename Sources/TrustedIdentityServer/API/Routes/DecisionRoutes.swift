internal import Hummingbird
internal import Primitives
internal import TrustedIdentity

extension Handlers {
    /// `GET /v1/decisions/{decisionID}`
    func showDecision(_ request: Request, _ context: ServerContext) async throws -> Response {
        let text = context.parameters.get("decisionID") ?? ""
        guard let id = try? Hex.decode(text, limit: 2 * DecisionRecord.idBytes),
            let record = try await platform.decision(id), isVisible(record.account, in: context)
        else { throw APIError(.unknownDecision) }
        return try JSONBody.response(DecisionBody(record))
    }
}

/// The record of a decision, for keys of the scope `admin`.
struct DecisionBody: Encodable {
    /// The situation that was decided.
    struct Situation: Encodable {
        let request: String
        let type: String?
        let amount: String?
        let currency: String?
        let creditor: String
        let browser: String
        let isSourceKnown: Bool
        let showsNumbers: Bool
        let isStrict: Bool
        let smallPayments: Int
        let rejections: Int

        init(_ summary: DecisionRecord.Summary) {
            request = summary.request.name
            type = summary.type
            amount = summary.amount?.amountText
            currency = summary.amount?.currency.code
            creditor = summary.creditor.description
            browser = summary.browser.description
            isSourceKnown = summary.isSourceKnown
            showsNumbers = summary.showsNumbers
            isStrict = summary.isStrict
            smallPayments = summary.smallPayments
            rejections = summary.rejections
        }
    }

    let decisionID: String
    let time: String
    let user: String
    let situation: Situation
    let decision: DecisionReport

    init(_ record: DecisionRecord) {
        decisionID = Hex.encode(record.id)
        time = record.time.rfc3339
        user = record.account
        situation = Situation(record.summary)
        decision = DecisionReport(record.decision)
    }
}

extension Situation.Request {
    /// The name of the case, for example `transaction`.
    fileprivate var name: String {
        switch self {
        case .login: "login"
        case .transaction: "transaction"
        case .event: "event"
        case .typedCode: "typedCode"
        case .staticPassword: "staticPassword"
        case .localSignature: "localSignature"
        }
    }
}
