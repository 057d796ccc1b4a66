/// What the platform decided on a login.
public struct LoginDecision: Sendable, Hashable {
    /// Accepted or not: all that an application server learns of a refusal.
    public enum Status: String, Sendable, Hashable, CaseIterable, Codable {
        /// The user is who they say.
        case accepted
        /// They are not, or may not; ``LoginDecision/reason`` says more to an administrator.
        case refused
    }

    /// Why. For the audit log and for `admin` keys only: to tell it to anybody else tells a stranger which users
    /// exist. The raw values are what the audit log keeps.
    public enum Reason: String, Sendable, Hashable, CaseIterable, Codable {
        /// Accepted.
        case accepted
        /// There is no such account.
        case unknownAccount
        /// No secret of the account makes that code, or the static password is another. Also when it has no device, or
        /// no static password.
        case wrongCredential
        /// The code was right and was accepted before.
        case usedCode
        /// Too many failures: nothing was checked and nothing counted.
        case blocked
        /// The code is right, but the policy lets its method log nobody in.
        case methodNotAllowed
        /// The platform was restored and the device has not synchronized since.
        case notSynchronized
        /// There is no such application index, or a login cannot use its kind.
        case applicationNotAllowed
    }

    /// Accepted or not.
    public let status: Status
    /// Why; not for the application server.
    public let reason: Reason
    /// The method that was verified; nil when refused or when a static password was used.
    public let method: AuthenticationMethod?
    /// The device whose code was accepted, 16 bytes.
    public let device: [UInt8]?
    /// What the site shows and the user compares with the app's, where the application has host codes.
    public let hostCode: String?

    init(
        _ reason: Reason, method: AuthenticationMethod? = nil, device: [UInt8]? = nil, hostCode: String? = nil
    ) {
        status = reason == .accepted ? .accepted : .refused
        self.reason = reason
        self.method = method
        self.device = device
        self.hostCode = hostCode
    }
}
