import Foundation
import Orchestration
import Synchronization
import TrustedIdentity

/// A transport that records everything and can damage the commands.
final class WatchedTransport: Transport {
    private struct State {
        var wire = Data()
        var errors: [any Error] = []
        var count = 0
        var damages = false
    }

    private let platform: Platform
    private let state = Mutex(State())

    init(_ platform: Platform) { self.platform = platform }

    /// All commands and answers, one after the other, as bytes and as text.
    var wire: Data { state.withLock { $0.wire } }
    /// The errors that the platform has thrown.
    var errors: [any Error] { state.withLock { $0.errors } }

    func damageCommands(_ damages: Bool) { state.withLock { $0.damages = damages } }

    func send(_ command: OrchestrationCommand) async throws -> OrchestrationCommand {
        note(command)
        let damages = state.withLock { $0.damages }
        do {
            let answer = try await platform.execute(damages ? damaged(command) : command, from: "192.0.2.1")
            note(answer)
            return answer
        } catch {
            state.withLock { $0.errors.append(error) }
            throw error
        }
    }

    private func damaged(_ command: OrchestrationCommand) throws -> OrchestrationCommand {
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
