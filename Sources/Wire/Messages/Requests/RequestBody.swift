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
    func write(to output: inout some CBOROutput) {
        switch self {
        case .activationPassword, .userDelete:
            output.array(0)
        case .activationComplete(let receiptHash):
            output.array(1)
            output.bytes(receiptHash)
        case .notificationsRegister(let identifier):
            output.array(1)
            output.text(identifier)
        case .synchronize(let generation, let counters):
            output.array(2)
            output.unsigned(generation)
            output.array(counters.count)
            for counter in counters { counter.write(to: &output) }
        }
    }
}
