package import Primitives

extension ApprovalRequestContent {
    /// Signs the approval request with the platform's key that is in use at ``created``.
    package func signed(with key: SigningKeyPair) throws -> Sign1 {
        try key.sign(encoded, externalAAD: Self.externalAAD)
    }

    /// Verifies an approval request on a device, before anything of it is shown.
    ///
    /// 1. A key that the latest statement lists signed the request, and it was valid at the creation of the request.
    /// 2. The request belongs to the tenant and the account of the device: no request of another user is shown.
    /// 3. It is the request that the device asked for: the user decides about the request that a pointer names.
    /// 4. Every field can be shown: the user signs only the shown fields.
    ///
    /// The platform decides whether the request has expired. The caller also checks this, for the time left.
    ///
    /// - Parameters:
    ///   - request: The signed request, as it was received.
    ///   - keys: The latest statement, which the device has verified.
    ///   - device: The device. Only its tenant and account are used.
    ///   - id: The id that the device asked for, 16 bytes.
    /// - Throws: ``SecureChannelError/Code/malformed``, ``SecureChannelError/Code/wrongKey``,
    ///   ``SecureChannelError/Code/keyNotValid``, ``SecureChannelError/Code/notAuthentic``,
    ///   ``SecureChannelError/Code/wrongParty``, ``SecureChannelError/Code/wrongRequest``,
    ///   ``SecureChannelError/Code/cannotDisplay``.
    package static func verified(
        _ request: Sign1, keys: KeyStatement, device: DeviceAddress, id: [UInt8]
    ) throws(SecureChannelError) -> Verified<ApprovalRequestContent> {
        // Decoded before the signature is verified, because the validity of the key depends on the creation time.
        let content = try ApprovalRequestContent(opened: request.payload)
        try keys.verify(request, externalAAD: externalAAD, at: content.created)
        guard content.tenant.utf8.elementsEqual(device.tenant.utf8),
            content.account.utf8.elementsEqual(device.account.text.utf8)
        else {
            throw SecureChannelError(.wrongParty, blame: .peer, "the approval request has another tenant or account")
        }
        guard content.id == id else {
            throw SecureChannelError(.wrongRequest, blame: .peer, "the approval request is another one than asked for")
        }
        guard content.display.isDisplayable else {
            throw SecureChannelError(.cannotDisplay, blame: .peer, "an approval request has a field of a later version")
        }
        return Verified(content, signed: request)
    }
}
