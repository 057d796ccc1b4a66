package import Primitives

/// What the platform answers, and everything that binds the answer to its request. It is signed by the platform.
package struct AnswerMessage: Sendable, Hashable {
    /// The type of the request.
    package let type: MessageType

    package var tenant: String

    /// "user@domain".
    package var account: String

    package var deviceID: [UInt8]

    /// The id of the request.
    package var requestID: [UInt8]

    /// The platform's time.
    package var time: Timestamp

    /// Where the device has to move in the key ratchet; its own index when it need not.
    package var ratchetIndex: UInt64

    /// How many typed codes have failed since the user was last told.
    package var failedCodes: UInt64

    package let result: AnswerResult

    /// Makes an answer. What is accepted must be of the request's type.
    package init(
        type: MessageType, tenant: String, account: String, deviceID: [UInt8], requestID: [UInt8], time: Timestamp,
        ratchetIndex: UInt64, failedCodes: UInt64, result: AnswerResult
    ) {
        if case .accepted(let body) = result { precondition(body.type == type, "an answer to another request") }
        self.type = type
        self.tenant = tenant
        self.account = account
        self.deviceID = deviceID
        self.requestID = requestID
        self.time = time
        self.ratchetIndex = ratchetIndex
        self.failedCodes = failedCodes
        self.result = result
    }

    /// The external associated data of the signature.
    package var externalAAD: [UInt8] { Array((ProtocolVersion.prefix + type.answerText).utf8) }

    static let direction: UInt64 = 1
}
