package import Crypto
internal import Primitives
internal import Wire

/// What a device and the platform know of each other since the activation.
package struct ChannelIdentity: Sendable {
    /// 1 to 64 bytes of ASCII.
    package let tenant: String

    /// 16 bytes.
    package let deviceID: [UInt8]

    /// The suite of the activation. Keys of another one are refused.
    package let suite: Suite

    /// The secret that both have from the activation.
    package let presharedKey: SymmetricKey

    package init(tenant: String, deviceID: [UInt8], suite: Suite, presharedKey: SymmetricKey) {
        self.tenant = tenant
        self.deviceID = deviceID
        self.suite = suite
        self.presharedKey = presharedKey
    }

    /// `info` of the HPKE context: CBOR `[label, suite, tenant, platform key id, device id]`.
    func info(platformKeyID: [UInt8]) -> [UInt8] {
        var writer = CBORWriter()
        writer.array(5)
        writer.text(ChannelKeys.contextLabel.text)
        writer.unsigned(suite.wire)
        writer.text(tenant)
        writer.bytes(platformKeyID)
        writer.bytes(deviceID)
        return writer.finish()
    }
}
