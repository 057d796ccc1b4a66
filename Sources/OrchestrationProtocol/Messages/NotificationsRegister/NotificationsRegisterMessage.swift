internal import Primitives

/// The registration of an address for the notifications of a device.
package struct NotificationsRegisterMessage: ChannelMessage {
    package typealias Answer = EmptyBody

    package static let type = MessageType("notifications.register")

    /// 1 to 1,024 bytes of UTF-8 that ``DisplayText`` allows, in a form that a notification service understands.
    package var identifier: String

    package init(identifier: String) { self.identifier = identifier }

    /// Returns the identifier of the pull channel. It is named after the device, because it must be unique for device
    /// and app, like push identifiers.
    ///
    /// - Parameter deviceID: The id of the device, 16 bytes.
    package static func pullChannel(of deviceID: [UInt8]) -> String { "pull:" + Hex.encode(deviceID) }

    package init(from reader: inout CBORReader) throws(WireError) {
        try reader.readArray(count: 1)
        let start = reader.offset
        identifier = try reader.readShownText(maximumBytes: FieldLimit.notificationIdentifier)
        guard !identifier.isEmpty else { throw WireError(.empty, offset: start) }
    }

    package func write(to output: inout some CBOROutput) {
        output.array(1)
        output.text(identifier)
    }

    package var body: RequestBody { .notificationsRegister(self) }
}

extension RequestBody {
    package static func notificationsRegister(identifier: String) -> RequestBody {
        .notificationsRegister(NotificationsRegisterMessage(identifier: identifier))
    }
}

extension AnswerBody {
    package static var notificationsRegister: AnswerBody {
        AnswerBody(EmptyBody(), to: NotificationsRegisterMessage.self)
    }
}
