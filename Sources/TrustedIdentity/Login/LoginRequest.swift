public import Primitives

/// A request of an application server to decide a login.
public struct LoginRequest: Sendable {
    /// The input of the user. White space in a code, full-width digits and spellings of one password make no difference
    /// (RFC 8265, section 4.2.2, for passwords).
    public struct Credential: Sendable {
        enum Kind {
            case code(application: CryptoApplicationIndex)
            case challengeResponse(requestID: String)
            case codeOrResponse(requestID: String)
            case staticPassword
        }
        let kind: Kind
        let typed: SecretBox<SecretBytes>

        /// Creates a credential from a one-time password.
        ///
        /// - Parameters:
        ///   - code: The code as typed.
        ///   - application: The crypto application that made it.
        public static func oneTimePassword(
            _ code: String, application: CryptoApplicationIndex = .app1
        ) -> Credential {
            Credential(kind: .code(application: application), typed: SecretBox<SecretBytes>(TypedDigits.of(code)))
        }

        /// Creates a credential from a code over a challenge, which crypto application 3 made.
        ///
        /// - Parameters:
        ///   - code: The code as typed.
        ///   - requestID: ``LoginChallenge/requestID`` of the challenge. It need not exist.
        public static func challengeResponse(_ code: String, requestID: String) -> Credential {
            Credential(
                kind: .challengeResponse(requestID: requestID), typed: SecretBox<SecretBytes>(TypedDigits.of(code)))
        }

        /// Creates a credential from a code whose application the caller does not know.
        ///
        /// - Parameters:
        ///   - code: The code as typed.
        ///   - requestID: The request id of the login. If it names a challenge for the caller and the account, the code
        ///     is made over the challenge. Otherwise it is a one-time password of crypto application 1.
        public static func code(_ code: String, requestID: String) -> Credential {
            Credential(kind: .codeOrResponse(requestID: requestID), typed: SecretBox<SecretBytes>(TypedDigits.of(code)))
        }

        /// Creates a credential from the static password of the registration.
        public static func staticPassword(_ password: String) -> Credential {
            Credential(kind: .staticPassword, typed: SecretBox<SecretBytes>(OpaqueString.of(password)))
        }
    }

    /// The account that the user claims. It need not exist.
    public let account: AccountName
    /// The input of the user.
    public let credential: Credential
    /// The text by which the application server recognizes the browser; at most 1,024 bytes of it count.
    ///
    /// A source that logged in before has a separate count of failures, so that strangers cannot block it. Use a secret
    /// of the site, such as a random value in a cookie: an attacker who knows it can type codes as that source. The
    /// store keeps a hash of the text.
    public let source: String?
    /// The network address of the user's browser, as the application server names it. It only informs the policy.
    public let address: NetworkAddress?
    /// The user's browser fingerprint, as the application server names it. It only informs the policy.
    public let fingerprint: String?
    /// Whether the site of the application server shows numbers. It only informs the policy.
    public let showsNumbers: Bool
    /// The caller, such as the id of its API key. It finds the challenges that were made for it:
    /// ``Platform/generateChallenge(for:length:checkDigit:principal:)``.
    public let principal: String

    /// Creates a request.
    public init(
        account: AccountName, credential: Credential, source: String? = nil, address: NetworkAddress? = nil,
        fingerprint: String? = nil, showsNumbers: Bool = false, principal: String = ""
    ) {
        self.account = account
        self.credential = credential
        self.source = source
        self.address = address
        self.fingerprint = fingerprint
        self.showsNumbers = showsNumbers
        self.principal = principal
    }
}
