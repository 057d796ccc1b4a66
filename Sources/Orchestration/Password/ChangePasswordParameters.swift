/// The parameters of ``Orchestrator/changePassword(_:)``.
public struct ChangePasswordParameters: FlowParameters, Sendable, Hashable {
    /// The user id, or `user@domain`.
    public var user: String

    /// The domain, or `nil` for the domain in ``user`` or the default domain.
    public var domain: String?

    /// Creates the parameters of a change of password.
    ///
    /// - Parameters:
    ///   - user: The user id, or `user@domain`.
    ///   - domain: The domain, where it is not the default one.
    public init(user: String, domain: String? = nil) {
        self.user = user
        self.domain = domain
    }
}
