public import Primitives

/// Who is to get an authenticator.
public struct Registration: Sendable {
    /// The account, made if it does not exist.
    public let account: AccountName
    let staticPassword: SecretBox<SecretBytes>?

    /// Puts a request together.
    ///
    /// - Parameters:
    ///   - account: the user of the application server.
    ///   - staticPassword: 1…1,024 bytes of UTF-8 that log the user in besides; nil leaves an earlier one as it is.
    public init(account: AccountName, staticPassword: String? = nil) {
        self.account = account
        self.staticPassword = staticPassword.map { SecretBox($0) }
    }
}
