internal import Primitives
internal import Wire

extension ChannelSession {
    /// Compares generation, counters, capabilities and platform keys with the platform, and moves the ratchet.
    func synchronize() async throws -> ChannelReply {
        let time = environment.time
        return try await exchange { record in
            let now = ClockOffset(milliseconds: record.clockOffset).platformTime(at: time.now())
            return .synchronize(
                generation: record.generation, counters: record.counters(at: now),
                capabilities: Capability.device.numbers, statement: record.platformKeys.sequence)
        } effect: { record, acceptance in
            // Either side may have been updated since the activation.
            guard let answer = acceptance.body.answer(to: SynchronizeMessage.self) else { return }
            record.capabilities = Capability.device.agreed(with: answer.capabilities)
        }
    }
}
