/// What a device asks for.
package enum RequestBody: Sendable, Hashable {
    /// The third step of an activation: the user has chosen the password. Comes with a proof of the password's secret.
    case activationPassword

    /// The last step: the hash of the receipt of the third. Comes with a proof of the other instance's secret.
    case activationComplete(receiptHash: [UInt8])

    /// Where notifications for this device go.
    case notificationsRegister(identifier: String)

    /// Which generation of the password's secret the device has, and where its counters stand.
    case synchronize(generation: UInt64, counters: [ApplicationCounter])

    /// The user leaves this device.
    case userDelete

    package var type: MessageType {
        switch self {
        case .activationPassword: .activationPassword
        case .activationComplete: .activationComplete
        case .notificationsRegister: .notificationsRegister
        case .synchronize: .synchronize
        case .userDelete: .userDelete
        }
    }
}

extension RequestBody {
    init(_ type: MessageType, from reader: inout CBORReader) throws(WireError) {
        switch type {
        case .activationPassword:
            try reader.readArray(count: 0)
            self = .activationPassword
        case .activationComplete:
            try reader.readArray(count: 1)
            self = .activationComplete(receiptHash: try reader.readBytes(count: FieldSize.hash))
        case .notificationsRegister:
            try reader.readArray(count: 1)
            self = .notificationsRegister(
                identifier: try reader.readName(maximumBytes: FieldLimit.notificationIdentifier))
        case .synchronize:
            try reader.readArray(count: 2)
            self = .synchronize(
                generation: try reader.readNumber(), counters: try ApplicationCounter.readList(from: &reader))
        case .userDelete:
            try reader.readArray(count: 0)
            self = .userDelete
        }
    }

    func write(to writer: inout CBORWriter) {
        switch self {
        case .activationPassword, .userDelete:
            writer.array(0)
        case .activationComplete(let receiptHash):
            writer.array(1)
            writer.bytes(receiptHash)
        case .notificationsRegister(let identifier):
            writer.array(1)
            writer.text(identifier)
        case .synchronize(let generation, let counters):
            writer.array(2)
            writer.unsigned(generation)
            writer.array(counters.count)
            for counter in counters { counter.write(to: &writer) }
        }
    }
}
