/// The texts of approval requests.
extension PromptText {
    /// The heading of a login.
    package static let approvalLogin = Self("orch_approval_login", "Login")
    /// The heading of a transaction.
    package static let approvalTransaction = Self("orch_approval_transaction", "Transaction")
    /// The heading of another event.
    package static let approvalEvent = Self("orch_approval_event", "Confirmation")
    /// The heading of a seal.
    package static let approvalSeal = Self("orch_approval_seal", "Seal")
    /// The label of an amount with its currency.
    package static let approvalAmount = Self("orch_approval_amount", "Amount")
    /// The label of a payee's name.
    package static let approvalCreditor = Self("orch_approval_creditor", "Payee")
    /// The label of a payee's account.
    package static let approvalCreditorAccount = Self("orch_approval_creditor_account", "Payee account")
    /// The label of the remittance information.
    package static let approvalRemittance = Self("orch_approval_remittance", "Reference")
    /// The label of the time of a transaction or event.
    package static let approvalTime = Self("orch_approval_time", "Time")
    /// The label of the party that asks.
    package static let approvalRequester = Self("orch_approval_requester", "Requested by")
    /// The label of the place that a request comes from.
    package static let approvalPlace = Self("orch_approval_place", "Place")

    /// States that an approval request was not answered in time.
    package static let approvalExpired = Self("orch_approval_expired", "The time to answer is over.")
    /// States that another device has answered an approval request.
    package static let approvalAnswered = Self(
        "orch_approval_answered", "This was answered already, on another device.")
    /// States that a newer login has replaced an approval request.
    package static let approvalReplaced = Self("orch_approval_replaced", "A newer login took the place of this one.")
    /// States that the application server has canceled an approval request.
    package static let approvalCanceled = Self("orch_approval_canceled", "The site has canceled this request.")
    /// States that there is no such approval request for a user of the app.
    package static let approvalUnknown = Self(
        "orch_approval_unknown", "There is no such request for you on this device.")
    /// States that the app did not decide about an approval request.
    package static let approvalUndecided = Self("orch_approval_undecided", "Nothing was decided.")
    /// States that the user typed a number that is not the matching number.
    package static let approvalWrongNumber = Self(
        "orch_approval_wrong_number", "This is not the number that the site shows. The request has ended.")
    /// States that the policy does not accept the method for an approval request.
    package static let approvalMethodRefused = Self(
        "orch_approval_method_refused", "This cannot be approved in this way. The request has ended.")

    /// The texts of approval requests.
    static let approvals: [PromptText] = [
        approvalLogin, approvalTransaction, approvalEvent, approvalSeal, approvalAmount, approvalCreditor,
        approvalCreditorAccount,
        approvalRemittance, approvalTime, approvalRequester, approvalPlace, approvalExpired, approvalAnswered,
        approvalReplaced, approvalCanceled, approvalUnknown, approvalUndecided, approvalWrongNumber,
        approvalMethodRefused,
    ]
}

extension ApprovalKind {
    /// The heading for the user.
    var textKey: PromptText {
        switch self {
        case .login: .approvalLogin
        case .transaction: .approvalTransaction
        case .event: .approvalEvent
        case .seal: .approvalSeal
        }
    }
}
