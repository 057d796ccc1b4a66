/// What a signed message is about. The text is part of what is signed, twice: in the payload and beside it.
package enum MessageType: String, Sendable, Hashable, CaseIterable {
    case activationPassword = "activation.password"
    case activationComplete = "activation.complete"
    case notificationsRegister = "notifications.register"
    case synchronize = "synchronize"
    case userDelete = "user.delete"

    /// The type as it stands in an answer.
    var answerText: String {
        switch self {
        case .activationPassword: "activation.password/answer"
        case .activationComplete: "activation.complete/answer"
        case .notificationsRegister: "notifications.register/answer"
        case .synchronize: "synchronize/answer"
        case .userDelete: "user.delete/answer"
        }
    }

    /// Room for every type and its suffix.
    static let maximumBytes = 64

    /// The one type of which something holds.
    @inline(__always)
    init?(where isRight: (MessageType) -> Bool) {
        if isRight(.activationPassword) {
            self = .activationPassword
        } else if isRight(.activationComplete) {
            self = .activationComplete
        } else if isRight(.notificationsRegister) {
            self = .notificationsRegister
        } else if isRight(.synchronize) {
            self = .synchronize
        } else if isRight(.userDelete) {
            self = .userDelete
        } else {
            return nil
        }
    }
}
