internal import OrchestrationProtocol
public import Primitives

/// A request of an application server to verify a seal that a device made without a network.
public struct LocalSeal: Sendable {
    /// The data of a seal as the application server names it. Neither printing nor reflection shows the texts.
    public enum Data: Sendable, Redacted {
        /// The SHA-256 of the data, 32 bytes, and the name with which the device has sealed it: 1 to 255 bytes of UTF-8;
        /// `nil` for a text.
        case digest([UInt8], name: String?)
        /// The text, 1 to 4,096 bytes of UTF-8. The platform brings it in normalization form C.
        case text(String)
    }

    /// The account that the user claims. It need not exist.
    public let account: AccountName
    /// The crypto application that made the seal.
    public let application: CryptoApplicationIndex
    /// The text by which the application server recognizes the browser: see ``LoginRequest/source``.
    public let source: String?
    /// The network address of the user's browser, as the application server names it. It only informs the policy.
    public let address: NetworkAddress?
    /// The user's browser fingerprint, as the application server names it. It only informs the policy.
    public let fingerprint: String?
    /// Whether the API key's site shows numbers. It only informs the policy.
    public let showsNumbers: Bool
    let content: SealContent
    let seal: SecretBox<SecretBytes>

    /// Creates a request.
    ///
    /// - Parameters:
    ///   - account: The account that the user claims.
    ///   - data: The data that the seal must cover.
    ///   - seal: The seal as typed. White space in it and full-width digits make no difference.
    ///   - application: The crypto application that made it.
    ///   - source: The text by which the application server recognizes the browser.
    ///   - address: The network address of the user's browser.
    ///   - fingerprint: The user's browser fingerprint.
    ///   - showsNumbers: Whether the API key's site shows numbers.
    /// - Throws: ``PlatformError`` with `malformedRequest` for data outside its limits.
    public init(
        account: AccountName, data: Data, seal: String, application: CryptoApplicationIndex = .app4,
        source: String? = nil, address: NetworkAddress? = nil, fingerprint: String? = nil, showsNumbers: Bool = false
    ) throws(PlatformError) {
        do throws(SealFault) {
            content =
                switch data {
                case .digest(let digest, let name): try SealContent(name: name, digest: digest)
                case .text(let text): try SealContent(text: text)
                }
        } catch {
            throw PlatformError(.malformedRequest, underlying: error)
        }
        self.account = account
        self.application = application
        self.source = source
        self.address = address
        self.fingerprint = fingerprint
        self.showsNumbers = showsNumbers
        self.seal = SecretBox<SecretBytes>(TypedDigits.of(seal))
    }
}
