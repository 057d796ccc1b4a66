package import Primitives

/// The common part of signed requests and answers: the values that bind a message to its context, and its extensions.
package struct MessageHead: Sendable, Hashable {
    package var tenant: String

    /// "user@domain", as received. It is compared as bytes with the receiver's name.
    package var account: String

    /// 16 bytes.
    package var deviceID: [UInt8]

    /// The id that is also in the header of the sealed request, 16 bytes.
    package var requestID: [UInt8]

    /// In a request, the platform's time as the device knows it; in an answer, the platform's time.
    package var time: Timestamp

    /// The index of the device in the key ratchet when it made the request.
    package var ratchetIndex: UInt64

    /// The last member of the message.
    package var extensions: Extensions

    package init(
        tenant: String, account: String, deviceID: [UInt8], requestID: [UInt8], time: Timestamp, ratchetIndex: UInt64,
        extensions: Extensions = .none
    ) {
        self.tenant = tenant
        self.account = account
        self.deviceID = deviceID
        self.requestID = requestID
        self.time = time
        self.ratchetIndex = ratchetIndex
        self.extensions = extensions
    }

    /// Creates the head of a message from or to a device.
    package init(
        device: DeviceAddress, requestID: [UInt8], time: Timestamp, ratchetIndex: UInt64,
        extensions: Extensions = .none
    ) {
        self.init(
            tenant: device.tenant, account: device.account.text, deviceID: device.id, requestID: requestID, time: time,
            ratchetIndex: ratchetIndex, extensions: extensions)
    }

    /// Reads all members but the extensions, which are the last member of the message.
    @inline(__always)
    init(from reader: inout CBORReader) throws(WireError) {
        self.init(
            tenant: try reader.readTenant(), account: try reader.readAccount(),
            deviceID: try reader.readBytes(count: FieldSize.identifier),
            requestID: try reader.readBytes(count: FieldSize.identifier), time: try reader.readTime(),
            ratchetIndex: try reader.readNumber())
    }

    /// Writes all members but the extensions.
    @inline(__always)
    func write(to output: inout some CBOROutput) {
        output.text(tenant)
        output.text(account)
        output.bytes(deviceID)
        output.bytes(requestID)
        output.time(time)
        output.unsigned(ratchetIndex)
    }

    /// The number of members of a signed message.
    static let memberCount = 11
}
