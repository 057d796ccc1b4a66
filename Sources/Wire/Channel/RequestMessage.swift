package import Primitives

/// A request of a device, with all values that bind it to the device, the tenant and the account. The device signs it.
package struct RequestMessage: Sendable, Hashable {
    package var tenant: String

    /// "user@domain", as received: it is compared as bytes with the name that the platform has.
    package var account: String

    /// 16 bytes.
    package var deviceID: [UInt8]

    /// The id that is also in the header of the sealed request, 16 bytes.
    package var requestID: [UInt8]

    /// The platform's time as the device knows it.
    package var time: Timestamp

    /// The index of the device in the key ratchet.
    package var ratchetIndex: UInt64

    /// Whether the device has read its store again because the platform refused an older index.
    package var reread: Bool

    package var body: RequestBody

    package init(
        tenant: String, account: String, deviceID: [UInt8], requestID: [UInt8], time: Timestamp, ratchetIndex: UInt64,
        reread: Bool = false, body: RequestBody
    ) {
        self.tenant = tenant
        self.account = account
        self.deviceID = deviceID
        self.requestID = requestID
        self.time = time
        self.ratchetIndex = ratchetIndex
        self.reread = reread
        self.body = body
    }

    /// Creates a request of a device.
    package init(
        device: DeviceAddress, requestID: [UInt8], time: Timestamp, ratchetIndex: UInt64, reread: Bool = false,
        body: RequestBody
    ) {
        self.init(
            tenant: device.tenant, account: device.account.text, deviceID: device.id, requestID: requestID, time: time,
            ratchetIndex: ratchetIndex, reread: reread, body: body)
    }

    package var type: MessageType { body.type }

    /// The external associated data of the signature.
    package var externalAAD: [UInt8] { Array((ProtocolVersion.prefix + type.requestName).utf8) }

    /// The second member of the message. It distinguishes a request from an answer.
    private static let direction: UInt64 = 0
}

extension RequestMessage: FieldwiseForm {
    package init(decoding bytes: [UInt8]) throws(WireError) {
        var reader = CBORReader(bytes)
        try reader.readArray(count: 10)
        let message = try reader.readMessage(direction: Self.direction) { $0.requestName }
        self.init(
            tenant: try reader.readTenant(), account: try reader.readAccount(),
            deviceID: try reader.readBytes(count: FieldSize.identifier),
            requestID: try reader.readBytes(count: FieldSize.identifier), time: try reader.readTime(),
            ratchetIndex: try reader.readNumber(), reread: try reader.readBoolean(),
            body: try message.readRequest(from: &reader))
        try reader.finish()
    }

    // The default, compiled for this type.
    package var encoded: [UInt8] { written }

    package func write(to output: inout some CBOROutput) {
        output.array(10)
        output.text(type.requestName)
        output.unsigned(Self.direction)
        output.text(tenant)
        output.text(account)
        output.bytes(deviceID)
        output.bytes(requestID)
        output.time(time)
        output.unsigned(ratchetIndex)
        output.boolean(reread)
        body.write(to: &output)
    }
}
