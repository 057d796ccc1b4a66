import Foundation
import Orchestration
import Synchronization
import TrustedIdentity

/// A way to the platform on which everything is written down, and one answer in a few is spoilt.
final class WatchedTransport: Transport {
    private struct State {
        var wire = Data()
        var errors: [any Error] = []
        var count = 0
        var spoils = false
    }

    private let platform: Platform
    private let state = Mutex(State())

    init(_ platform: Platform) { self.platform = platform }

    /// All commands and answers, one after the other, as bytes and as text.
    var wire: Data { state.withLock { $0.wire } }
    /// What the platform has thrown.
    var errors: [any Error] { state.withLock { $0.errors } }

    func spoil(_ spoils: Bool) { state.withLock { $0.spoils = spoils } }

    func send(_ command: OrchestrationCommand) async throws -> OrchestrationCommand {
        note(command)
        let spoils = state.withLock { $0.spoils }
        do {
            let answer = try await platform.execute(spoils ? spoilt(command) : command, from: "192.0.2.1")
            note(answer)
            return answer
        } catch {
            state.withLock { $0.errors.append(error) }
            throw error
        }
    }

    private func spoilt(_ command: OrchestrationCommand) throws -> OrchestrationCommand {
        var bytes = command.bytes
        bytes[bytes.count - 1] ^= 1
        return try OrchestrationCommand(bytes: bytes)
    }

    private func note(_ command: OrchestrationCommand) {
        let text = Printed.text(command)
        state.withLock { state in
            state.wire += Data(command.bytes) + Data(command.text.utf8) + Data(text.utf8)
        }
    }
}
