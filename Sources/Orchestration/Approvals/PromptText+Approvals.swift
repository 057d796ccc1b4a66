/// The texts of approval requests.
extension PromptText {
    package static let approvalLogin = Self("orch_approval_login", "Login")
    package static let approvalTransaction = Self("orch_approval_transaction", "Transaction")
    package static let approvalEvent = Self("orch_approval_event", "Confirmation")
    package static let approvalSeal = Self("orch_approval_seal", "Seal")
    package static let approvalAmount = Self("orch_approval_amount", "Amount")
    package static let approvalCreditor = Self("orch_approval_creditor", "Payee")
    package static let approvalCreditorAccount = Self("orch_approval_creditor_account", "Payee account")
    package static let approvalRemittance = Self("orch_approval_remittance", "Reference")
    package static let approvalTime = Self("orch_approval_time", "Time")
    package static let approvalRequester = Self("orch_approval_requester", "Requested by")
    package static let approvalPlace = Self("orch_approval_place", "Place")

    package static let approvalExpired = Self("orch_approval_expired", "The time to answer is over.")
    package static let approvalAnswered = Self(
        "orch_approval_answered", "This was answered already, on another device.")
    package static let approvalReplaced = Self("orch_approval_replaced", "A newer login took the place of this one.")
    package static let approvalCanceled = Self("orch_approval_canceled", "The site has canceled this request.")
    package static let approvalUnknown = Self(
        "orch_approval_unknown", "There is no such request for you on this device.")
    package static let approvalUndecided = Self("orch_approval_undecided", "Nothing was decided.")
    package static let approvalWrongNumber = Self(
        "orch_approval_wrong_number", "This is not the number that the site shows. The request has ended.")
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
