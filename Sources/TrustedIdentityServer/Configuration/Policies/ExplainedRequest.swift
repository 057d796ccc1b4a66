internal import OrchestrationProtocol
internal import Primitives
package import TrustedIdentity

/// The parts of a login, transaction or event body from which a policy decides, for a dry run without a platform.
package struct ExplainedRequest: Decodable, Sendable {
    /// The facts about the account and the API key, which a body does not state.
    package struct Knowledge: Sendable {
        /// Whether the site of the API key shows numbers.
        package var showsNumbers = false
        /// Whether the source has logged in before.
        package var isSourceKnown = false
        /// Whether the account has paid the creditor before.
        package var isCreditorKnown = false
        /// Whether the fingerprint of the browser is known.
        package var isBrowserKnown = false
        /// The method of the key that created a typed code.
        package var codeMethod = AuthenticationMethod.password
        /// The time since the latest device of the account was activated; nil for an account without a device.
        package var deviceAge: Duration?
        /// The record of pushes, rejections and payments of the account.
        package var risk = RiskState()

        /// Creates the knowledge about an account that is new.
        package init() {}
    }

    /// A body that is not such a request.
    package struct Problem: Error {
        /// The description of the fault, without values of the body.
        package let message: String
    }

    private let request: Situation.Request
    private let type: String?
    private let amount: MonetaryAmount?
    private let creditor: String?
    private let namesAccountNumber: Bool
    private let showsFreeText: Bool
    private let address: NetworkAddress?
    private let hasBrowser: Bool

    private enum CodingKeys: String, CodingKey {
        case objectType, credentials, eventType, transactionType, amount, currency, creditorIBAN, creditorName, data,
            dataToDisplay
    }

    private enum DataKeys: String, CodingKey {
        case standard, transactionMessage
    }

    private static let objects = [
        "LoginInput", "AdaptiveLoginInput", "TransactionValidationInput", "AdaptiveTransactionValidationInput",
        "TransactionInput", "AdaptiveTransactionInput", "EventValidationInput", "AdaptiveEventValidationInput",
    ]

    /// Reads a body of at most 64 KiB.
    package init(json bytes: [UInt8]) throws(Problem) {
        do throws(APIError) {
            self = try JSONBody.decode(Self.self, from: bytes)
        } catch {
            let fields = error.fields.map { "\($0.field) \($0.message)" }
            throw Problem(message: fields.isEmpty ? error.code.message : fields.joined(separator: "; "))
        }
    }

    package init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: CodingKeys.self)
        let object = try fields.decode(.objectType, oneOf: Self.objects)
        let eventType = try fields.decodeIfPresent(.eventType, nonemptyBytes: 64)
        type = try eventType ?? fields.decodeIfPresent(.transactionType, nonemptyBytes: 64)
        let source = try SourceFields(from: decoder)
        address = source.address
        hasBrowser = source.fingerprint != nil
        let name = try fields.decodeIfPresent(.creditorName, nonemptyBytes: 560)
        let shown = try Self.display(in: fields, creditorName: name)
        creditor = try fields.decodeIfPresent(.creditorIBAN, nonemptyBytes: 64) ?? shown.creditor
        namesAccountNumber = shown.namesAccountNumber
        amount = try Self.amount(in: fields) ?? shown.amount
        showsFreeText = try shown.showsFreeText || Self.hasMessage(in: fields) || Self.isSigned(in: fields)
        if eventType != nil || object.contains("Event") {
            request = .event
        } else if object.contains("Transaction") {
            request = try Self.isSigned(in: fields) ? .localSignature(method: .password) : .transaction
        } else {
            switch try LoginBody(from: decoder).credentials {
            case .remote: request = .login
            case .staticPassword: request = .staticPassword
            case .oneTimePassword(_, let application): request = .typedCode(application: application, method: .password)
            case .code: request = .typedCode(application: .app1, method: .password)
            case .challengeResponse: request = .typedCode(application: .app3, method: .password)
            }
        }
    }

    /// Returns the situation of the request.
    package func situation(at time: Timestamp, _ known: Knowledge) -> Situation {
        let request: Situation.Request =
            switch self.request {
            case .typedCode(let application, _): .typedCode(application: application, method: known.codeMethod)
            case .localSignature: .localSignature(method: known.codeMethod)
            case .login, .transaction, .event, .staticPassword: self.request
            }
        func recognition(_ isNamed: Bool, _ isKnown: Bool) -> Situation.Recognition {
            isNamed ? isKnown ? .known : .new : .unnamed
        }
        return Situation(
            request, at: time, type: type, amount: amount,
            creditor: recognition(creditor != nil, known.isCreditorKnown && !namesAccountNumber),
            showsFreeText: showsFreeText, address: address, browser: recognition(hasBrowser, known.isBrowserKnown),
            isSourceKnown: known.isSourceKnown, showsNumbers: known.showsNumbers,
            deviceAge: known.deviceAge, risk: known.risk)
    }

    private static func amount(in fields: KeyedDecodingContainer<CodingKeys>) throws -> MonetaryAmount? {
        let text = try fields.decodeDecimalIfPresent(.amount, bytes: 32)
        let code = try fields.decodeIfPresent(.currency, nonemptyBytes: 64)
        guard let text, !text.isEmpty else { return nil }
        guard let amount = try? Amount(text) else {
            throw fields.problem(.amount, "must be a decimal number without sign and exponent")
        }
        guard let code else { throw fields.problem(.currency, "must be present with an amount") }
        guard let currency = try? Currency(code) else { throw fields.problem(.currency, "must be a code of ISO 4217") }
        guard let value = MonetaryAmount(amount, currency) else {
            throw fields.problem(.amount, "must not have more decimal places than the currency")
        }
        return value
    }

    /// Returns the fields that the user sees, with the name of the creditor if the body contains it next to them.
    private static func display(
        in fields: KeyedDecodingContainer<CodingKeys>, creditorName: String?
    ) throws -> DisplayData {
        var shown = try fields.decodeIfPresent(DisplayBody.self, forKey: .dataToDisplay)?.fields ?? []
        let hasCreditor = shown.contains { if case .creditor = $0 { true } else { false } }
        if let creditorName, !hasCreditor { shown.append(.creditor(creditorName)) }
        do throws(DisplayDataError) {
            return try DisplayData(shown)
        } catch {
            throw fields.problem(creditorName == nil ? .dataToDisplay : .creditorName, error.message)
        }
    }

    /// Returns whether the data contains fields of free text.
    private static func hasMessage(in fields: KeyedDecodingContainer<CodingKeys>) throws -> Bool {
        guard fields.contains(.data), try !fields.decodeNil(forKey: .data) else { return false }
        let data = try fields.nestedContainer(keyedBy: DataKeys.self, forKey: .data)
        let message = try data.decodeIfPresent(TransactionMessage.self, forKey: .transactionMessage)
        return message.map { !$0.fields.isEmpty } ?? false
    }

    private static func isSigned(in fields: KeyedDecodingContainer<CodingKeys>) throws -> Bool {
        guard fields.contains(.data), try !fields.decodeNil(forKey: .data) else { return false }
        let data = try fields.nestedContainer(keyedBy: DataKeys.self, forKey: .data)
        return try data.contains(.standard) && !data.decodeNil(forKey: .standard)
    }
}
