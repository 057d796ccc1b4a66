/// What belongs to an accepted request.
package enum AnswerBody: Sendable, Hashable {
    /// The receipt of the third step of an activation.
    case activationPassword

    /// The receipt of the last step.
    case activationComplete

    case notificationsRegister

    /// Which generation of the password's secret the platform has.
    case synchronize(generation: UInt64)

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

    init(_ type: MessageType, from reader: inout CBORReader) throws(WireError) {
        try reader.readArray(count: type == .synchronize ? 1 : 0)
        self =
            switch type {
            case .activationPassword: .activationPassword
            case .activationComplete: .activationComplete
            case .notificationsRegister: .notificationsRegister
            case .synchronize: .synchronize(generation: try reader.readNumber())
            case .userDelete: .userDelete
            }
    }

    func write(to output: inout some CBOROutput) {
        switch self {
        case .activationPassword, .activationComplete, .notificationsRegister, .userDelete:
            output.array(0)
        case .synchronize(let generation):
            output.array(1)
            output.unsigned(generation)
        }
    }
}
