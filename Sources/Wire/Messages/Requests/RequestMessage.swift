package import Primitives

/// What a device asks for, and everything that binds the request to its place. It is signed by the device.
package struct RequestMessage: Sendable, Hashable {
    package var tenant: String

    /// "user@domain".
    package var account: String

    package var deviceID: [UInt8]

    /// The id that also stands in the header of the channel.
    package var requestID: [UInt8]

    /// The platform's time as the device knows it.
    package var time: Timestamp

    /// Where the device stands in the key ratchet.
    package var ratchetIndex: UInt64

    /// Whether the device has read its store again because the platform called the index old.
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

    package var type: MessageType { body.type }

    /// The external associated data of the signature.
    package var externalAAD: [UInt8] { Array((ProtocolVersion.prefix + type.rawValue).utf8) }

    static let direction: UInt64 = 0
}
