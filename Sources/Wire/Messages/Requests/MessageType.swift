/// What a signed message is about. The text is part of what is signed, twice: in the payload and beside it.
package enum MessageType: String, Sendable, Hashable, CaseIterable {
    case activationPassword = "activation.password"
    case activationComplete = "activation.complete"
    case notificationsRegister = "notifications.register"
    case synchronize = "synchronize"
    case userDelete = "user.delete"

    /// The type as it stands in an answer.
    var answerText: String { rawValue + Self.answerSuffix }

    static let answerSuffix = "/answer"

    /// Room for every type and its suffix.
    static let maximumBytes = 64

    init?(answerText: String) {
        guard answerText.hasSuffix(Self.answerSuffix) else { return nil }
        self.init(rawValue: String(answerText.dropLast(Self.answerSuffix.count)))
    }
}
