public import Primitives

/// A one-time password, with the values that an app shows with it. Neither printing nor reflection shows the codes.
public struct OneTimePasswordResult: Sendable, Redacted {
    /// The code for the site: decimal digits.
    ///
    /// Only the platform knows whether the password behind the code was right. A wrong password makes a code that looks
    /// like any other.
    public let oneTimePassword: String

    /// The code that the site must show after it has accepted ``oneTimePassword``, where the platform has configured
    /// one. It proves the site to the user.
    public let hostCode: String?

    /// The time until the code expires in whole seconds, rounded up, by the platform's clock; `nil` for codes that do
    /// not depend on the time.
    public let expiresIn: Duration?

    /// The method that made the code.
    public let method: AuthenticationMethod
}

/// The arguments of a one-time password.
struct OneTimePasswordParameters {
    let user: UserName
    let application: CryptoApplicationIndex
    let challenge: String?
    let protection: AuthenticationMethod
    let synchronizationLimit: Duration?
}

extension OneTimePasswordParameters: LocalCodeParameters {
    static let flowKind = FlowKind("oneTimePassword")

    var applicationIndex: CryptoApplicationIndex? { application }

    func data() -> LocalCode.Data { challenge.map { .challenge(TypedDigits.of($0)) } ?? .nothing }

    func result(of code: LocalCode, over data: LocalCode.Data) -> OneTimePasswordResult {
        OneTimePasswordResult(
            oneTimePassword: code.digits, hostCode: code.hostCode, expiresIn: code.expiresIn, method: code.method)
    }

    static func ready(_ code: OneTimePasswordResult) -> FlowEvent { .oneTimePasswordReady(code) }

    static func outcome(_ code: OneTimePasswordResult) -> Outcome { .oneTimePasswordMade(code) }
}
