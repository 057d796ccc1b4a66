package import Primitives
internal import Wire

/// What ties a signed message to its place. The receiver knows it from elsewhere and compares.
package struct MessageBinding: Sendable, Hashable {
    package let device: DeviceAddress

    /// 16 bytes; the one in the header of the channel.
    package let requestID: [UInt8]

    package init(device: DeviceAddress, requestID: [UInt8]) {
        self.device = device
        self.requestID = requestID
    }

    func check(
        tenant: String, account: String, deviceID: [UInt8], requestID: [UInt8]
    ) throws(SecureChannelError) {
        // Compared as bytes: two spellings that Unicode calls equal are not the same message.
        guard
            tenant.utf8.elementsEqual(device.tenant.utf8), account.utf8.elementsEqual(device.account.text.utf8),
            deviceID == device.id
        else { throw SecureChannelError(.wrongParty, blame: .peer, "a message of another tenant, account or device") }
        guard requestID == self.requestID else {
            throw SecureChannelError(.wrongRequest, blame: .peer, "a message of another request")
        }
    }
}
