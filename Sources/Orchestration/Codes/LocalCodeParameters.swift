internal import OrchestrationProtocol
internal import Primitives

/// The parameters of a verb that makes a code on the device, and the differences between such verbs.
protocol LocalCodeParameters: FlowParameters {
    /// The kind of result for the app.
    associatedtype Code: Sendable

    /// The kind of the flow.
    static var flowKind: FlowKind { get }

    /// The crypto application that makes the code; `nil` for the first one that signs.
    var applicationIndex: CryptoApplicationIndex? { get }

    /// The protection that the app chooses.
    var protection: AuthenticationMethod { get }

    /// The longest time to wait for the request that moves the ratchet; `nil` for no request.
    var synchronizationLimit: Duration? { get }

    /// Reads and checks the data that the code is made over. It is called once, before the user is asked.
    ///
    /// - Throws: `invalidArgument`, `invalidSealData`; the error of a sequence of the app, and `CancellationError`.
    func data() async throws -> LocalCode.Data

    /// Returns the result for the app.
    func result(of code: LocalCode, over data: LocalCode.Data) -> Code

    /// Returns the event for a code that was just made.
    static func ready(_ code: Code) -> FlowEvent

    /// Returns the outcome of the flow.
    static func outcome(_ code: Code) -> Outcome
}

/// A code that was made on the device.
struct LocalCode: Sendable {
    /// The data that a code is made over, in addition to its moving factor.
    enum Data: Sendable {
        /// Nothing: the code is a one-time password.
        case nothing
        /// A challenge of the platform.
        case challenge(String)
        /// The fields of a transaction, in normalization form C.
        case fields([DataField])
        /// The digest and the name of data that is sealed.
        case seal(SealContent)

        /// The challenge.
        var challenge: String? {
            if case .challenge(let text) = self { text } else { nil }
        }

        /// The fields in the question.
        var fields: [DataField] {
            switch self {
            case .fields(let fields): fields
            case .seal(let content): content.signedFields
            case .nothing, .challenge: []
            }
        }

        /// The fields that the user sees in the prompt.
        var shownFields: [DataField] {
            if case .seal(let content) = self { content.shownFields } else { fields }
        }
    }

    /// The decimal digits.
    let digits: String
    /// The code that the site must show after it has accepted this one, where the platform has configured one.
    let hostCode: String?
    /// The time until the code expires in whole seconds, for a time-based code.
    var expiresIn: Duration?
    /// The counter of a signature or a seal.
    var counter: UInt64?
    /// The method that made the code.
    let method: AuthenticationMethod
}
