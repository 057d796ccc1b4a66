/// The parameters of ``Orchestrator/enroll(_:for:)`` and ``Orchestrator/removeMethod(_:for:)``.
public struct MethodParameters: Sendable, Hashable {
    /// The user id, or `user@domain`.
    public var user: String

    /// The domain, or `nil` for the domain in ``user`` or the default domain.
    public var domain: String?

    /// Creates the parameters.
    ///
    /// - Parameters:
    ///   - user: The user id, or `user@domain`.
    ///   - domain: The domain, where it is not the default one.
    public init(user: String, domain: String? = nil) {
        self.user = user
        self.domain = domain
    }
}

/// The parameters of a flow about one enrolled method.
struct MethodFlowParameters: FlowParameters {
    let method: AuthenticationMethod
    let user: String
    let domain: String?

    init(_ method: AuthenticationMethod, _ parameters: MethodParameters) {
        self.method = method
        user = parameters.user
        domain = parameters.domain
    }
}
