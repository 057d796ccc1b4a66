package import OrchestrationProtocol
internal import Primitives

// Each step of the protocol takes what the step before has decoded. Tests that are about one step start from a command.

extension Envelope {
    /// Decodes a command. A command that is refused is an error with the code `malformed`.
    package init(opening command: OrchestrationCommand) throws(SecureChannelError) {
        do throws(WireError) {
            try self.init(decoding: command)
        } catch {
            throw SecureChannelError(.malformed, blame: .peer, "the command cannot be decoded", underlying: error)
        }
    }

    /// Decodes a sealed command. Another command is an error with the code `wrongRequest`.
    fileprivate static func sealed(in command: OrchestrationCommand) throws(SecureChannelError) -> Encrypt0 {
        guard case .sealed(let message) = try Envelope(opening: command) else {
            throw SecureChannelError(.wrongRequest, blame: .peer, "the command is not sealed")
        }
        return message
    }
}

extension ActivationInitiator {
    /// Decodes answer 1 and ends the exchange. A refusal is an error with the code `wrongRequest`.
    package borrowing func receive(
        _ command: OrchestrationCommand
    ) throws(SecureChannelError) -> ActivationSession {
        guard case .answer(let answer) = try reply(in: Envelope(opening: command)) else { throw .refused }
        return try receive(answer)
    }
}

extension ActivationSession {
    /// Decodes and opens answer 2.
    ///
    /// - Throws: ``ActivationRefused`` for a refusal, otherwise `SecureChannelError`.
    package borrowing func open(_ command: OrchestrationCommand) throws -> Provisioning {
        switch try reply(in: Envelope(opening: command)) {
        case .answer(let answer): return try open(answer)
        case .refusal(let reason): throw ActivationRefused(reason: reason)
        }
    }
}

/// The platform has refused step 2 of an activation.
package struct ActivationRefused: Error, Equatable {
    package let reason: ActivationRefusal.Reason

    package init(reason: ActivationRefusal.Reason) { self.reason = reason }
}

extension ChannelRequest {
    /// Decodes a command and reads the header of the request.
    package init(decoding command: OrchestrationCommand) throws(SecureChannelError) {
        try self.init(Envelope.sealed(in: command))
    }
}

extension AnswerOpener {
    /// Decodes a command and opens the answer.
    package func open(_ command: OrchestrationCommand) throws(SecureChannelError) -> [UInt8] {
        try open(Envelope.sealed(in: command))
    }
}

extension SecureChannelError {
    fileprivate static var refused: SecureChannelError {
        SecureChannelError(.wrongRequest, blame: .peer, "the platform has refused the activation")
    }
}
