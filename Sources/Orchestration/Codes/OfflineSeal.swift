internal import OrchestrationProtocol
public import Primitives

/// A seal that a device has made without a network, with the values that an app shows with it. Neither printing nor
/// reflection shows the codes, the text or the name.
public struct OfflineSeal: Sendable, Redacted {
    /// The seal for the site: decimal digits.
    ///
    /// Only the platform knows whether the password behind it was right. A wrong password makes a seal that looks like
    /// any other.
    public let seal: String

    /// The name of the data, in normalization form C; `nil` for a text.
    public let name: String?

    /// The text that was sealed, in normalization form C; `nil` for other data.
    public let text: String?

    /// The SHA-256 of the data, as 64 hexadecimal digits in lower case.
    public let digest: String

    /// The code that the site must show after the platform has accepted ``seal`` over the same data, where the platform
    /// has configured one. It proves the site to the user.
    public let hostCode: String?

    /// The counter of the seal, which the device's seals and signatures share: 0 for the first of them.
    public let counter: UInt64

    /// The time for which the platform accepts the seal.
    public let validity: CodeValidity

    /// The method that made the seal.
    public let method: AuthenticationMethod
}

/// The arguments of a seal.
struct SealParameters {
    let user: UserName
    let sealed: SealData
    let application: CryptoApplicationIndex?
    let protection: AuthenticationMethod
    let synchronizationLimit: Duration?
}

extension SealParameters: LocalCodeParameters {
    static let flowKind = FlowKind("seal")

    var applicationIndex: CryptoApplicationIndex? { application }

    func data() async throws -> LocalCode.Data { .seal(try await sealed.content()) }

    func result(of code: LocalCode, over data: LocalCode.Data) -> OfflineSeal {
        guard case .seal(let content) = data else { preconditionFailure("a seal over other data") }
        return OfflineSeal(
            seal: code.digits, name: content.name, text: content.text, digest: content.hexDigest,
            hostCode: code.hostCode, counter: code.counter ?? 0, validity: .standard, method: code.method)
    }

    static func ready(_ code: OfflineSeal) -> FlowEvent { .sealReady(code) }

    static func outcome(_ code: OfflineSeal) -> Outcome { .sealMade(code) }
}
