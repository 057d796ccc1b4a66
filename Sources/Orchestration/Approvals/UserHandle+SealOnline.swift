internal import OrchestrationProtocol
public import Primitives

extension UserHandle {
    /// Seals data with the platform, which confirms the seal with a receipt.
    ///
    /// The data is read and hashed first. The platform then makes an approval request with the name or the text and the
    /// digest, for this device only, and the user approves it by the method within 120 seconds. The prompt shows what
    /// is sealed. The receipt contains the signatures of the device and the platform; a third party verifies it like
    /// any approval receipt. Its principal has the id of the device and the name of the tenant.
    ///
    /// A new call replaces an earlier call of the device that still waits. A call that the user cancels leaves a
    /// request that expires.
    ///
    /// - Parameters:
    ///   - data: The data, 1 byte to 64 MiB. A text has at most 1,024 characters here.
    ///   - method: The method by which the user approves. Possession is not enough for a seal. An enrolled method that
    ///     is not available falls back to the password.
    /// - Returns: The approval with its receipt.
    /// - Throws: `invalidArgument` for possession; `invalidSealData`, `sealsUnavailable`, before the user is asked;
    ///   `invalidAnswer` when the platform asks for something else; and the errors of
    ///   ``ApprovalRequest/approve(number:)``.
    public func sealOnline(
        _ data: SealData, protection method: AuthenticationMethod = .password
    ) async throws -> AnsweredApproval {
        guard method != .possession else { throw OrchestrationError(.invalidArgument) }
        let (id, display) = try await environment.recorded(FlowKind("sealOnline")) {
            let content = try await data.content()
            guard let display = content.display else {
                throw OrchestrationError(.invalidSealData("the text is too long for a seal with a receipt"))
            }
            return (try await orchestrator.requestSeal(content, by: method, of: environment.account(name)), display)
        }
        switch try await openApproval(id) {
        case .approvalRequest(let request):
            // The user must approve exactly what the app has asked for.
            guard request.kind == .seal, request.display == display, request.method == method else {
                throw OrchestrationError(.invalidAnswer)
            }
            return try await request.approve()
        default: throw OrchestrationError(.invalidAnswer)
        }
    }
}

extension Orchestrator {
    /// Asks the platform for the approval request of a seal.
    ///
    /// - Returns: The id of the request.
    fileprivate nonisolated func requestSeal(
        _ content: SealContent, by method: AuthenticationMethod, of account: AccountName
    ) async throws -> ApprovalID {
        let reply = try await ChannelSession(account: account, orchestrator: self).exchange { record in
            try record.requireActive()
            guard record.has(.seals) else { throw OrchestrationError(.sealsUnavailable) }
            return .sealRequest(content, method: method)
        }
        return ApprovalID(checked: try reply.answer(to: SealRequestMessage.self).answer.id)
    }
}
