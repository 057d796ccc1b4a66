public import OrchestrationProtocol
internal import Primitives
public import TrustedIdentity

// Approvals, as an application server requests them.
extension TestPlatform {
    /// Asks a user to approve a login, as the application server does.
    ///
    /// - Parameters:
    ///   - user: The user id, or `user@domain`.
    ///   - fields: The fields that the user sees.
    ///   - source: The identifier of the browser at the application server. A login replaces an earlier login of the
    ///     same source.
    ///   - lifetime: The time for which the request can be answered, 1 to 300 seconds.
    /// - Returns: The report, with the pointer and, where ``showsNumbers`` and the policy require it, the number.
    public func requestLogin(
        _ user: String, showing fields: [DisplayField] = [], source: String? = nil, lifetime: Duration = .seconds(120)
    ) async throws -> ApprovalReport {
        try await request(.login, of: user, showing: fields, source: source, lifetime: lifetime)
    }

    /// Asks a user to approve a transaction, as the application server does.
    ///
    /// - Parameters:
    ///   - user: The user id, or `user@domain`.
    ///   - fields: The fields that the user sees, at least one.
    ///   - source: The identifier of the browser at the application server.
    ///   - lifetime: The time for which the request can be answered, 1 to 300 seconds.
    /// - Returns: The report, with the pointer and, where ``showsNumbers`` and the policy require it, the number.
    public func requestTransaction(
        _ user: String, showing fields: [DisplayField], source: String? = nil, lifetime: Duration = .seconds(120)
    ) async throws -> ApprovalReport {
        try await request(.transaction, of: user, showing: fields, source: source, lifetime: lifetime)
    }

    /// Asks a user to approve a payment: a transaction with an amount and a creditor.
    ///
    /// - Parameters:
    ///   - user: The user id, or `user@domain`.
    ///   - amount: The amount, for example `49.90`.
    ///   - currency: The code of the currency (ISO 4217).
    ///   - creditor: The name of the creditor.
    ///   - account: The account of the creditor (ISO 13616).
    /// - Returns: The report, as of ``requestTransaction(_:showing:source:lifetime:)``.
    public func requestPayment(
        _ user: String, _ amount: String, _ currency: String = "EUR", to creditor: String, account: String? = nil
    ) async throws -> ApprovalReport {
        var fields: [DisplayField] = [
            .amount(try Amount(amount)), .currency(try Currency(currency)), .creditor(creditor),
        ]
        if let account { fields.append(.creditorAccount(try IBAN(account))) }
        return try await requestTransaction(user, showing: fields)
    }

    /// Asks a user to approve an event, as the application server does.
    ///
    /// - Parameters:
    ///   - user: The user id, or `user@domain`.
    ///   - fields: The fields that the user sees.
    /// - Returns: The report, with the pointer and, where ``showsNumbers`` and the policy require it, the number.
    public func requestEvent(_ user: String, showing fields: [DisplayField]) async throws -> ApprovalReport {
        try await request(.event, of: user, showing: fields, source: nil, lifetime: .seconds(120))
    }

    /// Returns the state of an approval, and waits for its end if asked to.
    ///
    /// - Parameters:
    ///   - report: An earlier report.
    ///   - timeout: The longest time to wait for the end, by ``time``; zero returns at once.
    /// - Returns: The report. It is `pending` when the timeout passed first.
    /// - Throws: The errors of `Platform.approval(requestID:of:waiting:)`.
    public func approval(_ report: ApprovalReport, waiting timeout: Duration = .zero) async throws -> ApprovalReport {
        try await platform.approval(requestID: report.requestID, waiting: timeout)
    }

    /// Cancels an approval request, as the application server does.
    ///
    /// - Parameters:
    ///   - report: An earlier report.
    ///   - notice: The notice that the user's app shows or reads.
    /// - Returns: The report: `refused`, with the reason `canceled`.
    /// - Throws: The errors of `Platform.cancelApproval(requestID:of:notice:)`.
    @discardableResult
    public func cancelApproval(
        _ report: ApprovalReport, notice: RefusalNotice? = nil
    ) async throws -> ApprovalReport {
        try await platform.cancelApproval(requestID: report.requestID, notice: notice)
    }

    private func request(
        _ kind: ApprovalKind, of user: String, showing fields: [DisplayField], source: String?, lifetime: Duration
    ) async throws -> ApprovalReport {
        try await platform.requestApproval(
            ApprovalParameters(
                kind, of: AccountName(text: user, defaultDomain: "master"), display: DisplayData(fields),
                lifetime: lifetime, showsNumbers: showsNumbers, risk: RiskInput(source: source)))
    }
}
