import OrchestrationProtocol
import Primitives

extension FuzzedDecoder {
    /// CBOR, COSE and the messages.
    static let wire: [FuzzedDecoder] = [
        FuzzedDecoder(name: "cbor") { bytes in
            guard let value = try? CBORValue(decoding: bytes) else { return false }
            promise(value.encoded == bytes, "a value has one encoding")
            if case .array = value {
                promise((try? OrchestrationCommand(bytes: bytes)) != nil, "an array is a command's frame")
            }
            return true
        },
        message("sign1", Sign1.self), message("encrypt0", Encrypt0.self),
        message("activation-request", ActivationRequest.self), message("activation-answer", ActivationAnswer.self),
        message("activation-key-request", ActivationKeyRequest.self),
        message("activation-key-answer", ActivationKeyAnswer.self),
        message("activation-refusal", ActivationRefusal.self), message("activation-offer", ActivationOffer.self),
        message("activation-choice", ActivationChoice.self),
        message("activation-answer-body", ActivationAnswerBody.self),
        message("device-registration", DeviceRegistration.self), message("provisioning", Provisioning.self),
        message("request-message", RequestMessage.self), message("answer-message", AnswerMessage.self),
        message("sealed-request", SealedRequest.self), message("sealed-answer", SealedAnswer.self),
        message("key-statement", KeyStatement.self), message("signature-list", SignatureList.self),
        message("approval-pointer", ApprovalPointer.self),
        message("approval-request-content", ApprovalRequestContent.self),
        message("approval-answer-content", ApprovalAnswerContent.self),
        message("receipt-confirmation", ReceiptConfirmation.self), message("receipt-parts", ReceiptParts.self),
        message("method-registration-content", MethodRegistrationContent.self),
    ]

    /// The commands that the platform and the device open, and the state between steps 1 and 2.
    static let channel: [FuzzedDecoder] = [
        FuzzedDecoder(name: "envelope") { bytes in
            guard let command = try? OrchestrationCommand(bytes: bytes), let envelope = try? Envelope(decoding: command)
            else { return false }
            promise(envelope.command == command, "an envelope is its command")
            return true
        },
        FuzzedDecoder(name: "channel-request") { bytes in
            guard let message = try? Encrypt0(decoding: bytes),
                let header = try? ChannelRequestHeader(message.header)
            else { return false }
            let again = Encrypt0(header: header.protected, ciphertext: message.ciphertext)
            promise(again.encoded == bytes, "the header of a request has one encoding")
            promise((try? ChannelRequest(message)) != nil, "a header that can be read makes a request")
            return true
        },
        FuzzedDecoder(name: "channel-answer") { bytes in
            guard let message = try? Encrypt0(decoding: bytes),
                let header = try? ChannelAnswerHeader(message.header)
            else { return false }
            let again = Encrypt0(header: header.protected, ciphertext: message.ciphertext)
            promise(again.encoded == bytes, "the header of an answer has one encoding")
            return true
        },
        FuzzedDecoder(name: "receipt") { bytes in
            guard let receipt = try? Receipt(text: String(decoding: bytes, as: UTF8.self)) else { return false }
            promise((try? Receipt(text: receipt.text)) == receipt, "a receipt is read as it is written")
            promise((try? Receipt(bytes: receipt.bytes)) == receipt, "a receipt has one encoding")
            return true
        },
        FuzzedDecoder(name: "platform-keys") { bytes in (try? PublishedKeys(pages: [bytes])) != nil },
        FuzzedDecoder(name: "responder-state") { bytes in
            guard let state = try? ActivationResponderState(decoding: SecretBytes(copying: bytes)) else { return false }
            promise(state.encoded().array == bytes, "a state has one stored form")
            return true
        },
    ]

    /// A message that has one encoding. The general decoder must agree.
    private static func message<Message: WireForm>(_ name: String, _ type: Message.Type) -> FuzzedDecoder {
        FuzzedDecoder(name: name) { bytes in
            guard let message = try? Message(decoding: bytes) else { return false }
            promise(message.encoded == bytes, "a message has one encoding")
            promise((try? CBORValue(decoding: bytes))?.encoded == bytes, "a message is deterministic CBOR")
            promise((try? Message(decoding: message.encoded)) == message, "a message is read as it is written")
            return true
        }
    }
}

extension SecretBytes {
    /// A copy in memory that is not wiped, because nothing here is secret.
    var array: [UInt8] { withBytes { span in span.indices.map { span[$0] } } }
}
