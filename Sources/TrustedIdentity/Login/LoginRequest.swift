public import Primitives

/// A login to decide, as the application server asks it.
public struct LoginRequest: Sendable {
    /// What the user typed.
    public struct Credential: Sendable {
        enum Kind {
            case code(application: UInt8)
            case staticPassword
        }
        let kind: Kind
        let typed: SecretBox<SecretBytes>

        /// A one-time password.
        ///
        /// - Parameters:
        ///   - code: as typed.
        ///   - application: the crypto application index that made it, 1…8; 1 unless the login names another.
        public static func oneTimePassword(_ code: String, application: UInt8 = 1) -> Credential {
            Credential(kind: .code(application: application), typed: SecretBox<SecretBytes>(code))
        }

        /// The static password of the registration.
        public static func staticPassword(_ password: String) -> Credential {
            Credential(kind: .staticPassword, typed: SecretBox<SecretBytes>(password))
        }
    }

    /// Who claims to log in; it need not exist.
    public let account: AccountName
    /// What they typed.
    public let credential: Credential
    /// What the application server recognizes the browser by: any text, kept hashed; at most 1,024 bytes count.
    ///
    /// A source that logged in before has a count of failures of its own, so that strangers do not block it.
    public let source: String?

    /// Puts a request together.
    public init(account: AccountName, credential: Credential, source: String? = nil) {
        self.account = account
        self.credential = credential
        self.source = source
    }
}
