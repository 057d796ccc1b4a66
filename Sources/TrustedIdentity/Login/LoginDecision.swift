/// The platform's decision on a login or on a local transaction.
public struct LoginDecision: Sendable, Hashable {
    /// Whether the login is accepted. About a refusal, an application server learns only whether it is a policy
    /// decision. Without a right code, that reveals nothing about an account.
    public enum Status: String, Sendable, Hashable, CaseIterable, Codable {
        /// The credential is right and its method may log in.
        case accepted
        /// The login is refused. ``LoginDecision/reason-swift.property`` states the reason, for administrators.
        case refused
    }

    /// The reason of a decision, for the audit log and for keys of the scope `admin`.
    ///
    /// Do not show it to other parties: it reveals which users exist. The audit log keeps the raw values.
    public enum Reason: String, Sendable, Hashable, CaseIterable, Codable {
        /// The login is accepted.
        case accepted
        /// The account does not exist.
        case unknownAccount
        /// No secret of the account makes the code, or the static password is wrong. This is also the reason for an
        /// account without a device, or without a static password.
        case wrongCredential
        /// The code is right and was accepted before.
        case usedCode
        /// Too many failures. Nothing was checked, and nothing was counted.
        case blocked
        /// The code is right and the policy does not accept its method, or the static password is right and the policy
        /// does not accept it.
        case methodNotAllowed
        /// The platform was restored, or codes that were used while its clock was ahead were released, and the device
        /// has not synchronized since.
        case notSynchronized
        /// The platform was restored without its audit log, and the static password is suspended until an administrator
        /// lifts it. It is not stated whether the password is right.
        case suspended
        /// The codes of the crypto application do not log in, for any user, including an unknown or a blocked one.
        /// Nothing was compared, and nothing was counted.
        case applicationNotAllowed
        /// A code for the challenge was accepted before. It is not stated whether this code is right, and nothing was
        /// counted.
        case usedChallenge
        /// The caller has no challenge with this request id for the account, or it has expired. Nothing was counted.
        case unknownChallenge

        /// Whether the refusal is a decision of the policy and not about the credential. The REST API answers it with
        /// `refused`, and every other refusal with `failed`. It is the same for an account that does not exist or is
        /// blocked, except after a right code.
        package var isDecisionOfPolicy: Bool {
            switch self {
            case .methodNotAllowed, .applicationNotAllowed: true
            case .accepted, .unknownAccount, .wrongCredential, .usedCode, .blocked, .notSynchronized, .suspended,
                .usedChallenge, .unknownChallenge:
                false
            }
        }

        /// Whether the refusal depends on what the application server named, and not on the account.
        var isOfEveryAccount: Bool {
            switch self {
            case .applicationNotAllowed, .usedChallenge, .unknownChallenge: true
            case .accepted, .unknownAccount, .wrongCredential, .usedCode, .blocked, .notSynchronized, .suspended,
                .methodNotAllowed:
                false
            }
        }
    }

    /// Whether the login or the transaction is accepted.
    public let status: Status
    /// The reason, which is not for application servers.
    public let reason: Reason
    /// The verified method; `nil` for a refusal and for a static password.
    public let method: AuthenticationMethod?
    /// The id of the device whose code was accepted, 16 bytes.
    public let device: [UInt8]?
    /// The code that the site shows and the user compares with the app's, if the application has host codes.
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
