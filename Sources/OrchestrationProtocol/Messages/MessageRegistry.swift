/// The body of a request: the registry of the messages of the channel.
///
/// A new message requires a folder next to this file, a case and a line in each of the two lists below, and a row of
/// the article "The format of a command". The compiler then names each place in the client and the platform that must
/// decide how to handle it.
package enum RequestBody: Sendable, Hashable {
    case activationPassword
    case activationComplete(ActivationCompleteMessage)
    case notificationsRegister(NotificationsRegisterMessage)
    case synchronize(SynchronizeMessage)
    case userDelete
    case approvalList
    case approvalFetch(ApprovalFetchMessage)
    case approvalAnswer(ApprovalAnswerMessage)
    case notificationsOpen
    case passwordChange
    case passwordProve
    case unlock(UnlockMessage)
    case moveBegin
    case methodRegister(MethodRegisterMessage)
    case methodRemove(MethodRemoveMessage)
    case deviceData(DeviceDataMessage)
    case sealRequest(SealRequestMessage)

    /// All messages. An unknown name is refused.
    static let messages: [any ChannelMessage.Type] = [
        ActivationPasswordMessage.self,
        ActivationCompleteMessage.self,
        NotificationsRegisterMessage.self,
        SynchronizeMessage.self,
        UserDeleteMessage.self,
        ApprovalListMessage.self,
        ApprovalFetchMessage.self,
        ApprovalAnswerMessage.self,
        NotificationsOpenMessage.self,
        PasswordChangeMessage.self,
        PasswordProveMessage.self,
        UnlockMessage.self,
        MoveBeginMessage.self,
        MethodRegisterMessage.self,
        MethodRemoveMessage.self,
        DeviceDataMessage.self,
        SealRequestMessage.self,
    ]

    /// The request.
    package var message: any ChannelMessage {
        switch self {
        case .activationPassword: ActivationPasswordMessage()
        case .activationComplete(let message): message
        case .notificationsRegister(let message): message
        case .synchronize(let message): message
        case .userDelete: UserDeleteMessage()
        case .approvalList: ApprovalListMessage()
        case .approvalFetch(let message): message
        case .approvalAnswer(let message): message
        case .notificationsOpen: NotificationsOpenMessage()
        case .passwordChange: PasswordChangeMessage()
        case .passwordProve: PasswordProveMessage()
        case .unlock(let message): message
        case .moveBegin: MoveBeginMessage()
        case .methodRegister(let message): message
        case .methodRemove(let message): message
        case .deviceData(let message): message
        case .sealRequest(let message): message
        }
    }

    /// The name of the message.
    package var type: MessageType { Swift.type(of: message).type }

    func write(to output: inout some CBOROutput) { message.write(to: &output) }
}

extension MessageType: CaseIterable {
    /// The names of all messages.
    package static var allCases: [MessageType] { RequestBody.messages.map { $0.type } }
}
