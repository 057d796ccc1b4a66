package import Crypto
package import Primitives
internal import Wire

/// What a device and the platform know of each other since the activation.
package struct ChannelIdentity: Sendable {
    package let device: DeviceAddress

    /// The suite of the activation. Keys of another one are refused.
    package let suite: Suite

    /// The secret that both have from the activation.
    package let presharedKey: SymmetricKey

    package init(device: DeviceAddress, suite: Suite, presharedKey: SymmetricKey) {
        self.device = device
        self.suite = suite
        self.presharedKey = presharedKey
    }

    /// `info` of the HPKE context: CBOR `[label, suite, tenant, platform key id, device id]`.
    func info(platformKeyID: [UInt8]) -> [UInt8] {
        var writer = CBORWriter()
        writer.array(5)
        writer.text(ChannelKeys.contextLabel.text)
        writer.unsigned(suite.wire)
        writer.text(device.tenant)
        writer.bytes(platformKeyID)
        writer.bytes(device.id)
        return writer.finish()
    }
}
