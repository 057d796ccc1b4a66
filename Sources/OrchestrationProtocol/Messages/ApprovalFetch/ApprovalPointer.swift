internal import Crypto

/// A pointer to an approval request, which a push message, a QR code or a stream carries to a device.
///
/// A pointer is not authenticated and opens nothing. It makes a device of the account fetch the approval request.
package struct ApprovalPointer: CommandForm, FieldwiseForm {
    /// The first 8 bytes of the SHA-256 of the tenant's name.
    package let tenantHash: [UInt8]

    /// The id of the approval request, 16 bytes.
    package let id: [UInt8]

    package init(tenant: String, id: [UInt8]) {
        tenantHash = Self.hash(of: tenant)
        self.id = id
    }

    package init(decoding bytes: [UInt8]) throws(WireError) {
        var reader = CBORReader(bytes)
        try reader.readFrame(.approvalPointer, count: 3)
        tenantHash = try reader.readBytes(count: FieldSize.tenantHash)
        id = try reader.readBytes(count: FieldSize.identifier)
        try reader.finish()
    }

    package func write(to output: inout some CBOROutput) {
        output.array(3)
        output.unsigned(CommandKind.approvalPointer.rawValue)
        output.bytes(tenantHash)
        output.bytes(id)
    }

    /// Returns whether the pointer names the tenant.
    package func names(tenant: String) -> Bool { tenantHash == Self.hash(of: tenant) }

    /// Returns the first 8 bytes of the SHA-256 of a tenant's name.
    static func hash(of tenant: String) -> [UInt8] {
        Array(SHA256.hash(data: Array(tenant.utf8)).prefix(FieldSize.tenantHash))
    }
}
