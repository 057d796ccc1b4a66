package import Primitives
internal import Wire

/// What ties a signed message to its place. The receiver knows it from elsewhere and compares.
package struct MessageBinding: Sendable, Hashable {
    package let tenant: String
    package let account: AccountName

    /// 16 bytes.
    package let deviceID: [UInt8]

    /// 16 bytes; the one in the header of the channel.
    package let requestID: [UInt8]

    package init(tenant: String, account: AccountName, deviceID: [UInt8], requestID: [UInt8]) {
        self.tenant = tenant
        self.account = account
        self.deviceID = deviceID
        self.requestID = requestID
    }

    func check(
        tenant: String, account: String, deviceID: [UInt8], requestID: [UInt8]
    ) throws(SecureChannelError) {
        // Compared as bytes: two spellings that Unicode calls equal are not the same message.
        guard
            tenant.utf8.elementsEqual(self.tenant.utf8), account.utf8.elementsEqual(self.account.text.utf8),
            deviceID == self.deviceID
        else { throw SecureChannelError(.wrongParty, blame: .peer, "a message of another tenant, account or device") }
        guard requestID == self.requestID else {
            throw SecureChannelError(.wrongRequest, blame: .peer, "a message of another request")
        }
    }
}
