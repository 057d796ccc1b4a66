public import Primitives

/// The signature of a local transaction, with the values that an app shows with it. Neither printing nor reflection
/// shows the codes or the fields.
public struct LocalSignature: Sendable, Redacted {
    /// The signature for the site: decimal digits.
    ///
    /// Only the platform knows whether the password behind it was right. A wrong password makes a signature that looks
    /// like any other.
    public let signature: String

    /// The fields that were signed, in normalization form C.
    public let fields: [DataField]

    /// The code that the site must show after the platform has accepted ``signature`` over the same ``fields``, where
    /// the platform has configured one. It proves the site to the user.
    public let hostCode: String?

    /// The counter of the signature, which the device's signatures and seals share: 0 for the first of them.
    public let counter: UInt64

    /// The time for which the platform accepts the signature.
    public let validity: CodeValidity

    /// The method that made the signature.
    public let method: AuthenticationMethod
}

/// The arguments of a signature.
struct LocalTransactionParameters {
    let user: UserName
    let fields: [DataField]
    let application: CryptoApplicationIndex?
    let protection: AuthenticationMethod
    let synchronizationLimit: Duration?
}

extension LocalTransactionParameters: LocalCodeParameters {
    static let flowKind = FlowKind("localTransaction")

    var applicationIndex: CryptoApplicationIndex? { application }

    func data() throws(OrchestrationError) -> LocalCode.Data {
        do throws(DataFieldError) {
            return .fields(try DataFields(fields).fields)
        } catch {
            throw OrchestrationError(.invalidArgument, underlying: error)
        }
    }

    func result(of code: LocalCode, over data: LocalCode.Data) -> LocalSignature {
        LocalSignature(
            signature: code.digits, fields: data.fields, hostCode: code.hostCode, counter: code.counter ?? 0,
            validity: .standard, method: code.method)
    }

    static func ready(_ code: LocalSignature) -> FlowEvent { .signatureReady(code) }

    static func outcome(_ code: LocalSignature) -> Outcome { .signatureMade(code) }
}
