import OrchestrationProtocol
import TestSupport
import Testing

/// The published vectors of the messages: encodings that every implementation makes, and ones that it refuses.
struct MessageVectors: Decodable, Sendable {
    struct Message: Decodable, Sendable, CustomTestStringConvertible {
        let type: String
        let name: String
        let hex: String
        var testDescription: String { "\(type) \(name)" }
        var bytes: [UInt8] { [UInt8](hex: hex) }
    }

    struct Refused: Decodable, Sendable, CustomTestStringConvertible {
        let type: String
        let why: String
        let code: String
        let hex: String
        var testDescription: String { "\(type): \(why)" }
        var bytes: [UInt8] { [UInt8](hex: hex) }
    }

    let messages: [Message]
    let refused: [Refused]

    static let all =
        (try? Vectors.decode(MessageVectors.self, "wire/messages.json")) ?? MessageVectors(messages: [], refused: [])

    /// The types by the names that the file has for them.
    static let types: [String: any WireForm.Type] = [
        "ActivationOffer": ActivationOffer.self, "ActivationRequest": ActivationRequest.self,
        "ActivationChoice": ActivationChoice.self, "ActivationAnswerBody": ActivationAnswerBody.self,
        "ActivationAnswer": ActivationAnswer.self, "ActivationKeyRequest": ActivationKeyRequest.self,
        "ActivationKeyAnswer": ActivationKeyAnswer.self, "ActivationRefusal": ActivationRefusal.self,
        "DeviceRegistration": DeviceRegistration.self, "Provisioning": Provisioning.self,
        "ChannelRequest": ChannelRequestForm.self, "ChannelAnswer": ChannelAnswerForm.self,
        "SealedRequest": SealedRequest.self, "SealedAnswer": SealedAnswer.self,
        "KeyStatement": KeyStatement.self, "SignatureList": SignatureList.self,
        "RequestMessage": RequestMessage.self, "AnswerMessage": AnswerMessage.self,
        "ApprovalPointer": ApprovalPointer.self, "ApprovalRequestContent": ApprovalRequestContent.self,
        "ApprovalAnswerContent": ApprovalAnswerContent.self, "ReceiptConfirmation": ReceiptConfirmation.self,
        "ReceiptParts": ReceiptParts.self, "MethodRegistrationContent": MethodRegistrationContent.self,
        "DeviceData": DeviceData.self,
    ]
}

/// A message of the channel that is encoded from its decoded header.
struct ChannelRequestForm: WireForm {
    let header: ChannelRequestHeader
    let ciphertext: [UInt8]

    init(header: ChannelRequestHeader, ciphertext: [UInt8]) {
        self.header = header
        self.ciphertext = ciphertext
    }

    init(decoding bytes: [UInt8]) throws(WireError) {
        let message = try Encrypt0(decoding: bytes)
        self.init(header: try ChannelRequestHeader(message.header), ciphertext: message.ciphertext)
    }

    var encoded: [UInt8] { Encrypt0(header: header.protected, ciphertext: ciphertext).encoded }
}

/// The same for answers.
struct ChannelAnswerForm: WireForm {
    let header: ChannelAnswerHeader
    let ciphertext: [UInt8]

    init(header: ChannelAnswerHeader, ciphertext: [UInt8]) {
        self.header = header
        self.ciphertext = ciphertext
    }

    init(decoding bytes: [UInt8]) throws(WireError) {
        let message = try Encrypt0(decoding: bytes)
        self.init(header: try ChannelAnswerHeader(message.header), ciphertext: message.ciphertext)
    }

    var encoded: [UInt8] { Encrypt0(header: header.protected, ciphertext: ciphertext).encoded }
}
