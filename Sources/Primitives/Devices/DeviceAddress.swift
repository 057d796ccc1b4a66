/// The tenant, account and device id that name one activation.
package struct DeviceAddress: Sendable, Hashable {
    /// The tenant, 1 to 64 printable ASCII characters.
    package let tenant: String

    /// The account in its one spelling.
    package let account: AccountName

    /// The device id, 16 bytes.
    package let id: [UInt8]

    package init(tenant: String, account: AccountName, id: [UInt8]) {
        self.tenant = tenant
        self.account = account
        self.id = id
    }
}
