internal import Primitives
internal import TrustedIdentity

/// The risk decision that the application server follows. The other codes of the original API are never sent.
///
/// Clients take 0 as accepted and 1 as refused. A pending reply contains the code of the method that the user needs.
enum RiskResponseCode: Int, Encodable, CaseIterable {
    case accept = 0
    case refuse = 1
    case possession = 21
    case password = 22
    case biometric = 23
    case face = 24

    /// Creates the code of a pending reply, for the method by which the user approves. It is never ``accept``.
    init(pending method: AuthenticationMethod) {
        self =
            switch method {
            case .possession: .possession
            case .password: .password
            case .biometric: .biometric
            case .face: .face
            }
    }

    /// Creates the code of a decision of the policy.
    init(_ decision: PolicyDecision) {
        self =
            switch decision.outcome {
            case .accept: .accept
            case .refuse: .refuse
            case .challenge(let challenge): RiskResponseCode(pending: challenge.method)
            }
    }
}
