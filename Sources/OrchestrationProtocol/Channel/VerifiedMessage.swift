internal import Crypto
package import Primitives

/// A message with a verified signature that belongs to the expected tenant, account, device and request.
///
/// Only the static functions with the name `verified` of ``RequestMessage``, ``AnswerMessage``,
/// ``ApprovalRequestContent`` and ``ApprovalAnswerContent`` create values of this type.
package struct Verified<Message: Sendable & Hashable>: Sendable, Hashable {
    package let message: Message

    /// The signed message as received. A proof and a receipt cover these bytes.
    package let encoded: [UInt8]

    init(_ message: Message, signed: Sign1) {
        self.message = message
        encoded = signed.encoded
    }

    /// The receipt: the SHA-256 of the signed message.
    package var receiptHash: [UInt8] { SHA256.hash(data: encoded).withSpan { [UInt8]($0) } }
}

/// The context to which a signed message is bound. The receiver knows it independently of the message, and compares the
/// two.
package struct MessageBinding: Sendable, Hashable {
    package let device: DeviceAddress

    /// The id in the header of the sealed request, 16 bytes.
    package let requestID: [UInt8]

    package init(device: DeviceAddress, requestID: [UInt8]) {
        self.device = device
        self.requestID = requestID
    }

    fileprivate func check(_ head: MessageHead) throws(SecureChannelError) {
        // Compared as bytes: two spellings that are canonically equivalent in Unicode are different.
        guard
            head.tenant.utf8.elementsEqual(device.tenant.utf8),
            head.account.utf8.elementsEqual(device.account.text.utf8), head.deviceID == device.id
        else {
            throw SecureChannelError(.wrongParty, blame: .peer, "the message has another tenant, account or device")
        }
        guard head.requestID == requestID else {
            throw SecureChannelError(.wrongRequest, blame: .peer, "the message belongs to another request")
        }
    }
}

extension Sign1 {
    /// The SHA-256 of the signed message as it was received. Approval answers and receipts identify a message by this
    /// hash.
    package var digest: [UInt8] { SHA256.hash(data: encoded).withSpan { [UInt8]($0) } }
}

extension RequestMessage {
    /// Signs the message with the device key.
    ///
    /// - Parameter sign: Receives the bytes to sign, and returns the 64 bytes of an ECDSA signature over their SHA-256.
    /// - Throws: The error of `sign`; ``WireError`` if the signature does not have 64 bytes.
    package func signed(by sign: ([UInt8]) async throws -> [UInt8]) async throws -> Sign1 {
        try await Sign1.signing(encoded, header: Self.signatureHeader, externalAAD: externalAAD, by: sign)
    }

    /// The header of a device's signature. It names no key, because the channel identifies the device.
    private static let signatureHeader = COSEHeader(algorithm: .esp256)

    /// Verifies a message that a device has signed.
    ///
    /// 1. The header contains only the algorithm.
    /// 2. The signature verifies. It also covers the name of the message: no message is taken for one of another type.
    /// 3. The message belongs to the tenant, the account, the device and the request of the channel: no message is
    ///    moved elsewhere.
    ///
    /// - Parameters:
    ///   - message: The signed message, as it was received.
    ///   - deviceKey: The device's public key, 33 bytes.
    ///   - binding: The context, from the channel's header and the platform's own records.
    /// - Throws: ``SecureChannelError/Code/notAuthentic``, ``SecureChannelError/Code/wrongParty``,
    ///   ``SecureChannelError/Code/wrongRequest``, ``SecureChannelError/Code/malformed``.
    package static func verified(
        _ message: Sign1, deviceKey: [UInt8], binding: MessageBinding
    ) throws(SecureChannelError) -> Verified<RequestMessage> {
        try message.requireHeader(keyID: nil)
        // Decoded before the signature is verified, because the signature covers the name of the message.
        let request = try RequestMessage(opened: message.payload)
        do throws(WireError) {
            try message.verify(p256: deviceKey, externalAAD: request.externalAAD)
        } catch {
            throw SecureChannelError(
                .notAuthentic, blame: .peer, "the signature of the device is not valid", underlying: error)
        }
        try binding.check(request.head)
        return Verified(request, signed: message)
    }
}

extension AnswerMessage {
    /// Signs the message with the platform's key. The header names the key.
    package func signed(with key: SigningKeyPair) throws -> Sign1 {
        try key.sign(encoded, externalAAD: externalAAD)
    }

    /// Verifies a message that the platform has signed.
    ///
    /// 1. The header names the platform's key.
    /// 2. The signature verifies. It also covers the name of the message: no message is taken for one of another type.
    /// 3. The answer is of the request's type.
    /// 4. The answer belongs to the tenant, the account, the device and the request: no message is moved elsewhere.
    ///
    /// - Parameters:
    ///   - message: The signed message, as it was received.
    ///   - platformKey: The platform's Ed25519 public key, 32 bytes.
    ///   - type: The type of the request.
    ///   - binding: The context of the request.
    /// - Throws: ``SecureChannelError/Code/wrongKey`` if another key signed, ``SecureChannelError/Code/notAuthentic``,
    ///   ``SecureChannelError/Code/wrongType``, ``SecureChannelError/Code/wrongParty``,
    ///   ``SecureChannelError/Code/wrongRequest``, ``SecureChannelError/Code/malformed``.
    package static func verified(
        _ message: Sign1, platformKey: [UInt8], type: MessageType, binding: MessageBinding
    ) throws(SecureChannelError) -> Verified<AnswerMessage> {
        try message.requireHeader(keyID: PlatformPublicKey.keyID(of: platformKey))
        let answer = try AnswerMessage(opened: message.payload)
        do throws(WireError) {
            try message.verify(ed25519: platformKey, externalAAD: answer.externalAAD)
        } catch {
            throw SecureChannelError(
                .notAuthentic, blame: .peer, "the signature of the platform is not valid", underlying: error)
        }
        guard answer.type == type else {
            throw SecureChannelError(.wrongType, blame: .peer, "the answer has another type than the request")
        }
        try binding.check(answer.head)
        return Verified(answer, signed: message)
    }
}

extension AnswerMessage {
    /// Verifies a message that the platform has signed with keys of a statement. Every signature of a known algorithm
    /// must verify.
    ///
    /// - Parameters:
    ///   - messages: The signatures, as they were received.
    ///   - keys: The latest statement, which the receiver has verified.
    ///   - type: The type of the request.
    ///   - binding: The context of the request.
    /// - Returns: The message, with the bytes of its first signature.
    /// - Throws: ``SecureChannelError/Code/wrongKey`` if the statement does not list a key that signed the message,
    ///   ``SecureChannelError/Code/keyNotValid`` if the key was not in use at the time of the message, and the errors
    ///   of ``verified(_:platformKey:type:binding:)``.
    package static func verified(
        _ messages: SignatureList, keys: KeyStatement, type: MessageType, binding: MessageBinding
    ) throws(SecureChannelError) -> Verified<AnswerMessage> {
        var first: Verified<AnswerMessage>?
        for message in messages.signatures {
            let key = try keys.signer(of: message)
            let verified = try verified(message, platformKey: key.bytes, type: type, binding: binding)
            guard key.isValid(at: verified.message.time, tolerance: KeyStatement.tolerance) else {
                throw SecureChannelError(.keyNotValid, blame: .peer, "the key of an answer was not in use at its time")
            }
            first = first ?? verified
        }
        guard let first else { throw SecureChannelError(.malformed, blame: .bug, "a list without a signature") }
        return first
    }
}

extension Sign1 {
    /// Refuses a header with more than the algorithm and, if one is expected, this key id.
    func requireHeader(keyID: [UInt8]?) throws(SecureChannelError) {
        do throws(WireError) {
            try header.require(
                only: keyID == nil ? [COSELabel.algorithm] : [COSELabel.algorithm, COSELabel.keyID])
        } catch {
            throw SecureChannelError(
                .malformed, blame: .peer, "a signed message has an unexpected header", underlying: error)
        }
        guard header.keyID == keyID else {
            throw SecureChannelError(.wrongKey, blame: .peer, "the message is signed with another key")
        }
    }
}

extension WireForm {
    /// Decodes an opened or signed message. The decoder's error becomes the underlying error.
    init(opened bytes: [UInt8]) throws(SecureChannelError) {
        do throws(WireError) {
            try self.init(decoding: bytes)
        } catch {
            throw SecureChannelError(.malformed, blame: .peer, "a message is not of the agreed form", underlying: error)
        }
    }
}
